/** The two engines that every storage test runs on, and small builders for those tests. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import { newEventId } from '../../apps/cloud/src/storage/ids.ts';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import type {
  DecisionRecord,
  SecurityEvent,
  Storage,
  StorageOptions,
} from '../../apps/cloud/src/storage/storage.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  noPostgres,
  type TestDatabase,
} from '../support/databases.ts';
import { writeEmptyDatabase } from '../support/empty-database.ts';
import { recordedStorage, unlistedStatements } from '../support/statements/record-statements.ts';

export const MASTER_KEY = Buffer.alloc(32, 0x5a);
export const NOON = Date.UTC(2026, 10, 20, 12, 0, 0);

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Options with which a second process opens the same database. */
  options(): { readonly dataDir: string; readonly databaseUrl?: string };
  /** Opens another storage on the same database; closed after the suite. */
  open(change?: Partial<StorageOptions>): Promise<Storage>;
}

/** Runs a suite on SQLite and on PostgreSQL, each with a database of its own, with the current tables or without any. */
export function onEveryEngine(suite: string, laws: (engine: Engine) => void, hasTables = true): void {
  for (const name of ['SQLite', 'PostgreSQL'] as const) {
    describe(`${suite} on ${name}`, { skip: name === 'PostgreSQL' && noPostgres }, () => {
      const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-laws-'));
      const opened: Storage[] = [];
      let database: TestDatabase | undefined;
      before(async () => {
        if (name === 'PostgreSQL')
          database = await (hasTables ? createTestDatabase() : createEmptyDatabase());
        else if (hasTables) await writeEmptyDatabase(dataDir);
      });
      after(async () => {
        for (const storage of opened) await storage.close();
        await database?.drop();
        rmSync(dataDir, { recursive: true, force: true });
        const unlisted = unlistedStatements();
        assert.deepEqual(unlisted, [], 'not in test/golden/statements.jsonl: see record-statements.ts');
      });
      const options = () => ({
        dataDir,
        ...(database === undefined ? {} : { databaseUrl: database.databaseUrl }),
      });
      laws({
        name,
        options,
        async open(change = {}) {
          const storage = await openStorage({
            ...options(),
            masterKey: MASTER_KEY,
            now: () => NOON,
            ...change,
          });
          opened.push(storage);
          return recordedStorage(storage);
        },
      });
    });
  }
}

export interface TestEnv {
  readonly userId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly plainKey: string;
}

/** Asserts that each returns null or an empty value, instead of failing or of reporting a change. */
export async function assertEmpty(answers: Readonly<Record<string, Promise<unknown>>>): Promise<void> {
  for (const [name, answer] of Object.entries(answers)) {
    const value = await answer;
    const isNothing = Array.isArray(value) ? value.length === 0 : !value;
    assert.ok(isNothing, `${name}: ${JSON.stringify(value)}`);
  }
}

let testEnvs = 0;

/** An account with a personal organization, a project and a key. */
export async function createTestEnv(storage: Storage): Promise<TestEnv> {
  const plainKey = makeKey();
  return await storage.transaction(async (s) => {
    const user = await s.users.insert({
      email: `person-${process.pid}-${testEnvs++}@example.com`,
      name: 'Person',
    });
    await s.subscriptions.set(user.id, { plan: 'pro' });
    const organization = await s.organizations.insert({ kind: 'personal', name: 'Own', ownerId: user.id });
    await s.members.add(organization.id, user.id, 'owner');
    const project = await s.projects.insert(organization.id, { name: 'First' });
    const key = await s.keys.insert({
      organizationId: organization.id,
      projectId: project.id,
      userId: user.id,
      deviceId: null,
      name: 'first key',
      permissions: ['scan', 'proxy'],
      expiresAtMs: null,
      key: plainKey,
    });
    return {
      userId: user.id,
      organizationId: organization.id,
      projectId: project.id,
      keyId: key.id,
      plainKey,
    };
  });
}

export function makeEvent(organizationId: string, change: Partial<SecurityEvent> = {}): SecurityEvent {
  const atMs = change.atMs ?? NOON;
  return {
    id: newEventId(atMs),
    organizationId,
    projectId: null,
    keyId: null,
    deviceId: null,
    requestId: 'req_1',
    direction: 'input',
    route: 'guard',
    model: null,
    decision: 'allow',
    threatType: null,
    confidence: 0,
    findings: [],
    unscanned: [],
    failed: null,
    latencyUs: 120,
    atMs,
    ...change,
  };
}

export function makeRecord(
  organizationId: string,
  change: Partial<SecurityEvent> = {},
  usage?: DecisionRecord['usage'],
): DecisionRecord {
  const event = makeEvent(organizationId, change);
  return {
    event,
    audit: {
      kind: event.decision === 'block' ? 'policy_block' : 'policy_allow',
      actor: event.keyId ?? 'key_none',
      subject: event.id,
      data: { decision: event.decision, direction: event.direction, threat_type: event.threatType },
    },
    ...(usage === undefined ? {} : { usage }),
  };
}
