import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pruneRecords } from '../../../../apps/cloud/src/jobs/prune-records.ts';
import { signInAs } from '../../../support/browser.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

const DAY = 86_400_000;

describe('retention', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  test('deletes events after the days of their project; the chain stays valid and keeps every decision', async () => {
    const { organizationId, projectId } = gateway.account;
    const { storage } = gateway;
    const admin = await signInAs(gateway, 'admin');
    const shown = await admin.call('GET', `/projects/${projectId}/retention`);
    assert.deepEqual(shown.body, { project_id: projectId, retention_days: 90, zero_retention: false });
    const project = async (days: number | null) => {
      const { id } = await storage.projects.insert(organizationId, { name: String(days) });
      const saved = await admin.call(
        'PATCH',
        `/projects/${id}/retention`,
        days === null ? { keep_forever: true } : { retention_days: days },
      );
      assert.deepEqual([saved.status, saved.body['retention_days']], [200, days]);
      return (await gateway.addKey({ projectId: id })).plain;
    };
    const keys = {
      week: await project(7),
      ever: await project(null),
      none: (await gateway.addKey({ projectId: null })).plain,
      usual: gateway.key,
    };
    const scan = async (key: string): Promise<string> => {
      const answer = await gateway.call('POST', '/api/v1/security/scan', {
        key,
        body: { content: 'hello there' },
      });
      return ((await answer.json()) as { eventId: string }).eventId;
    };
    const made = new Map<string, string>();
    for (const [name, key] of Object.entries(keys)) made.set(name, await scan(key));
    const left = async () => {
      const found = [];
      for (const [name, id] of made)
        if ((await storage.events.get(organizationId, id)) !== null) found.push(name);
      return found;
    };
    const prune = async (after: readonly string[]) => {
      const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) };
      await pruneRecords({ storage, clock, log, auditAddressDays: 90 });
      assert.deepEqual(await left(), after);
    };
    clock.advance(7 * DAY);
    await prune(['week', 'ever', 'none', 'usual']);
    clock.advance(1);
    await prune(['ever', 'none', 'usual']);
    clock.advance(83 * DAY);
    await prune(['ever']);
    const report = await storage.audit.verify(organizationId);
    assert.equal(report.valid, true);
    const { rows } = await storage.audit.page(organizationId, { limit: 200 });
    for (const id of made.values())
      assert.ok(
        rows.some(({ subject }) => subject === id),
        'its audit row stays',
      );
    assert.equal(rows.filter(({ kind }) => kind === 'retention_changed').length, 2);
  });

  test('accepts only a valid number of days, and only from admins', async () => {
    const at = `/projects/${gateway.account.projectId}/retention`;
    const admin = await signInAs(gateway, 'admin');
    for (const days of [0, -1, 3_651, 1.5, '7']) {
      assert.equal((await admin.call('PATCH', at, { retention_days: days })).status, 422, String(days));
    }
    assert.equal((await admin.call('PATCH', '/projects/proj_none/retention', {})).status, 404);
    const member = await signInAs(gateway, 'member');
    assert.equal((await member.call('PATCH', at, { retention_days: 1 })).status, 403);
  });
});
