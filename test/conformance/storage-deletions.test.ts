import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ownEndpointId } from '@csg/shared/contract';
import Database from 'better-sqlite3';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { createTestEnv, makeRecord, onEveryEngine } from './storage-engines.ts';

/** Data that stays when an organization or project is deleted, and the code that deletes the rest. */
const WITHOUT_ORGANIZATION = [
  // Stay: ids only.
  'audit_heads',
  'audit_rows',
  'audit_checkpoints',
  'audit_timestamps',
  'idempotency_usage',
  // Deleted with their key, their endpoint, their policy, their member, and their project.
  'key_tokens',
  'notifications',
  'policy_versions',
  'project_roles',
  'directory_group_members',
  // Deleted by retention, and by the deletion flow.
  'security_events',
  // Deleted by the repository explicitly.
  'webhook_deliveries',
  'usage_details',
  'usage_labels',
  'audit_addresses',
];
const WITHOUT_PROJECT = [
  'security_events',
  'webhook_deliveries',
  'scrape_jobs',
  // Records of decisions: requests are cancelled or deleted as their kind says, the rest expires.
  'requests',
  'agent_calls',
  // Stays: usage is counted after the project is gone.
  'usage_details',
  'usage_labels',
];

onEveryEngine('Deletions', (engine) => {
  let storage: Storage;
  before(async () => {
    storage = await engine.open();
  });

  test('deleting an organization deletes all its data and none of others; its chain stays', async () => {
    const [testEnv, other] = [await createTestEnv(storage), await createTestEnv(storage)];
    const { organizationId, projectId, keyId, userId } = testEnv;
    await storage.decisions.record(makeRecord(organizationId));
    const device = await storage.devices.insert(organizationId, {
      name: 'Laptop',
      platform: 'linux',
      projectId,
    });
    const { enrollment } = await storage.enrollments.create(organizationId, { projectId });
    const lease = { organizationId, keyId, key: 'k', fingerprint: 'f', leaseMs: 60_000, nowMs: Date.now() };
    await storage.idempotency.begin(lease);
    await storage.deliveries.enqueue(organizationId, [
      {
        ...{ endpointId: ownEndpointId('webhook', projectId), projectId },
        ...{ event: 'threat.blocked', eventId: null, payload: '{}' },
      },
    ]);
    const { session } = await storage.sessions.create({
      userId,
      organizationId,
      address: '127.0.0.1',
      userAgent: 'test',
      expiresAtMs: Date.now() + 60_000,
    });
    const deleted = await storage.transaction(async ({ deletions }) => {
      assert.deepEqual(await deletions.lockOrganization(organizationId), { ownerId: userId, members: 1 });
      return await deletions.removeOrganization(organizationId);
    });
    assert.deepEqual(deleted, {
      projects: [projectId],
      members: [userId],
      keys: [keyId],
      devices: [device.id],
      enrollments: [enrollment.id],
    });
    assert.equal(await storage.organizations.get(organizationId), null);
    assert.equal(await storage.keys.findForAuth(testEnv.plainKey), null);
    assert.equal(await storage.devices.get(organizationId, device.id), null);
    assert.deepEqual(await storage.deliveries.list(organizationId), []);
    assert.equal(
      (await storage.sessions.list(userId)).find(({ id }) => id === session.id)?.organizationId,
      null,
    );
    assert.equal((await storage.idempotency.begin(lease)).state, 'started', 'its responses are deleted');
    const report = await storage.audit.verify(organizationId);
    assert.deepEqual([report.valid, report.checked], [true, 1]);
    assert.equal(await storage.deletions.lockOrganization(organizationId), null);
    assert.equal((await storage.keys.findForAuth(other.plainKey))?.id, other.keyId);
  });

  test('does not delete a project of another organization', async () => {
    const [testEnv, other] = [await createTestEnv(storage), await createTestEnv(storage)];
    assert.equal(await storage.deletions.removeProject(testEnv.organizationId, other.projectId), null);
    assert.equal((await storage.projects.get(other.organizationId, other.projectId))?.id, other.projectId);
  });

  test('every column that names an organization or project is deleted with it, or is listed here', (t) => {
    if (engine.name !== 'SQLite') return t.skip('the schema is the same');
    const database = new Database(`${engine.options().dataDir}/gateway.sqlite`, { readonly: true });
    t.after(() => database.close());
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all() as string[];
    const without = (column: string, parent: string) =>
      tables.filter((table) => {
        const columns = database.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[];
        const keys = database.prepare(`PRAGMA foreign_key_list("${table}")`).all() as {
          table: string;
          from: string;
          on_delete: string;
        }[];
        const isTaken = keys.some(
          (key) =>
            key.from === column && key.table === parent && ['CASCADE', 'SET NULL'].includes(key.on_delete),
        );
        return columns.some(({ name }) => name === column) && !isTaken;
      });
    assert.deepEqual(without('organization_id', 'organizations').sort(), WITHOUT_ORGANIZATION.toSorted());
    assert.deepEqual(without('project_id', 'projects').sort(), WITHOUT_PROJECT.toSorted());
    return undefined;
  });

  test('an index begins with every reference, which else costs a whole table for each row deleted', (t) => {
    if (engine.name !== 'SQLite') return t.skip('the schema is the same');
    const database = new Database(`${engine.options().dataDir}/gateway.sqlite`, { readonly: true });
    t.after(() => database.close());
    const all = <T>(sql: string) => database.prepare(sql).all() as T[];
    const tables = all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
    const slow = tables.flatMap(({ name: table }) => {
      const indexes = all<{ name: string; partial: number }>(`PRAGMA index_list("${table}")`)
        // Of the engines only SQLite would use one that is limited to certain rows.
        .filter(({ partial }) => partial === 0)
        .map(({ name }) => all<{ name: string }>(`PRAGMA index_info("${name}")`).map((one) => one.name));
      const begins = (columns: readonly string[]) =>
        indexes.some((index) => columns.every((column) => index.slice(0, columns.length).includes(column)));
      const keys = all<{ id: number; from: string }>(`PRAGMA foreign_key_list("${table}")`);
      return [...Map.groupBy(keys, ({ id }) => id).values()]
        .map((parts) => parts.map(({ from }) => from))
        .filter((columns) => !begins(columns))
        .map((columns) => `${table}: ${columns}`);
    });
    assert.deepEqual(slow, []);
    return undefined;
  });
});
