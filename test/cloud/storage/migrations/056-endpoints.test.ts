/** A database of the last version, with 50 endpoints and their deliveries: nothing is lost, and all is still opened. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ENDPOINT_KINDS } from '@csg/shared/contract';
import { sql } from 'kysely';
import { databaseOf, openEngine } from '../../../../apps/cloud/src/storage/engines/open-engine.ts';
import { migrate } from '../../../../apps/cloud/src/storage/migrate.ts';
import { MIGRATIONS } from '../../../../apps/cloud/src/storage/migrations/all.ts';
import { openStorage } from '../../../../apps/cloud/src/storage/open-storage.ts';
import { SEAL_CONTEXTS } from '../../../../apps/cloud/src/storage/sealing/seal-contexts.ts';
import { sealText } from '../../../../apps/cloud/src/storage/sealing/sealed-text.ts';
import { createSealer } from '../../../../apps/cloud/src/storage/sealing/sealer.ts';
import type { Storage, StorageOptions } from '../../../../apps/cloud/src/storage/storage.ts';
import { createEmptyDatabase, noPostgres } from '../../../support/databases.ts';

const NOW = Date.UTC(2026, 10, 30);
const KEY = Buffer.alloc(32, 7);
const SEALER = createSealer({ current: KEY, previous: [] });
const EVENTS = JSON.stringify(['threat.blocked']);
const AWKWARD = `it's "quoted" \\ and {braced}\n§ 💡`;
const PROJECTS = 10;
const FURTHER = 18;
const NOTIFIED = 10;
const DELIVERIES = 2_000;

const seal = (text: string, context: string) => sealText(SEALER, text, context);
const url = (name: string) => `https://${name}.example/T0/${'x'.repeat(40)}`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
type Row = Record<string, string | number | Buffer | null>;

/** A project: with a webhook, with a secret alone, or with neither; with a policy endpoint, or one that is disabled. */
function oldProject(n: number): Row {
  const id = `proj_${n}`;
  const policy = { url: url(`policy${n}`), isEnabled: n % 4 === 0, failMode: 'closed', timeoutMs: 200 + n };
  return {
    ...{ id, organization_id: `org_${n % 2}`, name: id, fail_mode: 'open', use_case: 'default' },
    ...{ strictness_level: 'moderate', zero_retention: 0, created_at_ms: NOW - 1_000 + n },
    webhook_url: n % 5 === 4 ? null : seal(url(`first${n}`), SEAL_CONTEXTS.webhookUrl(id)),
    webhook_enabled: n % 5 === 4 || n % 3 === 0 ? 0 : 1,
    webhook_events: n % 2 === 0 ? EVENTS : null,
    policy_webhook: n % 2 === 0 ? seal(JSON.stringify(policy), SEAL_CONTEXTS.policyWebhook(id)) : null,
  };
}

const oldSecret = (n: number): Row => ({
  project_id: `proj_${n}`,
  sealed: SEALER.seal(`secret ${n}`, SEAL_CONTEXTS.webhookSecret(`proj_${n}`)),
  previous_sealed: SEALER.seal(`previous ${n}`, SEAL_CONTEXTS.webhookSecret(`proj_${n}`)),
  ...{ previous_until_ms: NOW + 1_000, created_at_ms: NOW - 500 },
});

const oldWebhook = (n: number): Row => ({
  ...{ id: `whk_further${n}`, organization_id: `org_${n % 2}`, project_id: `proj_${n % PROJECTS}` },
  url: seal(url(`further${n}`), SEAL_CONTEXTS.webhookUrl(`whk_further${n}`)),
  ...{ is_enabled: n % 2, events: n % 3 === 0 ? EVENTS : null, created_at_ms: NOW + n },
  sealed_secret: n % 2 === 0 ? null : SEALER.seal(`own ${n}`, SEAL_CONTEXTS.webhookSecret(`whk_further${n}`)),
});

const FORMS = ['mail', 'slack', 'teams', 'webhook'] as const;
const oldTarget = (n: number): Row => ({
  ...{
    id: `ntf_${n}`,
    organization_id: `org_${n % 2}`,
    kind: FORMS[n % 4]!,
    digest: n % 3 === 0 ? 'daily' : null,
  },
  address: seal(url(`notified${n}`), SEAL_CONTEXTS.notificationTarget(`ntf_${n}`)),
  quiet_hours: n % 2 === 0 ? JSON.stringify({ from: '22:00', to: '07:00', time_zone: AWKWARD }) : null,
  sealed_secret: n % 4 === 3 ? SEALER.seal(`told ${n}`, SEAL_CONTEXTS.notificationSecret(`ntf_${n}`)) : null,
  ...{
    events: null,
    last_error: n % 2 === 0 ? AWKWARD : null,
    last_sent_at_ms: NOW - n,
    created_at_ms: NOW + n,
  },
});

/** To a first webhook, a further one, or the audit target of an organization. */
function oldDelivery(n: number): Row {
  const to = [
    { project_id: `proj_${n % PROJECTS}`, webhook_id: null },
    { project_id: `proj_${n % PROJECTS}`, webhook_id: `whk_further${n % FURTHER}` },
    { project_id: null, webhook_id: null },
  ][n % 3]!;
  return {
    ...{
      ...to,
      id: `whd_${n}`,
      organization_id: `org_${n % 2}`,
      payload: AWKWARD,
      is_test: 0,
      event_id: null,
    },
    ...{ event: n % 3 === 2 ? 'audit.checkpoint' : 'threat.blocked', attempts: n % 4, failures: 0 },
    ...{ status: (['pending', 'delivered', 'failed'] as const)[n % 5 === 0 ? 0 : n % 2 === 0 ? 1 : 2]! },
    ...{ due_at_ms: NOW + 1_000, lease_ends_at_ms: 0, created_at_ms: NOW - n },
  };
}

const OLD: readonly (readonly [table: string, rows: readonly Row[]])[] = [
  ['projects', numbers(PROJECTS).map(oldProject)],
  [
    'webhook_secrets',
    numbers(PROJECTS)
      .filter((n) => n % 4 === 0)
      .map(oldSecret),
  ],
  ['webhooks', numbers(FURTHER).map(oldWebhook)],
  ['notification_targets', numbers(NOTIFIED).map(oldTarget)],
  [
    'audit_targets',
    [
      {
        organization_id: 'org_0',
        url: seal(url('audit'), SEAL_CONTEXTS.auditTarget('org_0')),
        updated_at_ms: NOW,
      },
    ],
  ],
  [
    'webhook_pauses',
    ['proj_1', 'whk_further1'].map((endpoint_id) => ({
      ...{ endpoint_id, organization_id: 'org_1', paused_at_ms: NOW - 9 },
    })),
  ],
  [
    'notifications',
    numbers(20).map((n) => ({
      ...{
        id: `ntf_m${n}`,
        target_id: `ntf_${n % NOTIFIED}`,
        event: 'device.silent',
        text: AWKWARD,
        data: '{"n":1}',
      },
      ...{ attempts: n % 3, due_at_ms: NOW - n, created_at_ms: NOW - n },
    })),
  ],
  ['webhook_deliveries', numbers(DELIVERIES).map(oldDelivery)],
  [
    'webhook_attempts',
    numbers(DELIVERIES).map((n) => ({ delivery_id: `whd_${n}`, number: 1, at_ms: NOW, duration_ms: n })),
  ],
];

/** A database as the last version left it. Returns how many endpoints and deliveries it has. */
async function prepare(options: StorageOptions): Promise<void> {
  const engine = await openEngine(databaseOf(options), () => {});
  try {
    const at = MIGRATIONS.findIndex(({ name }) => name === 'audit-verifications');
    await migrate(engine.db, engine.dialect, MIGRATIONS.slice(0, at));
    const run = (text: string) => sql.raw(text).execute(engine.db);
    await run(
      `insert into users (id, email, email_key, created_at_ms) values ('usr_a', 'a@a.example', 'a@a.example', 1)`,
    );
    for (const id of ['org_0', 'org_1'])
      await run(
        `insert into organizations (id, kind, name, owner_id, created_at_ms) values ('${id}', 'team', '${id}', 'usr_a', 1)`,
      );
    for (const [table, rows] of OLD)
      for (let n = 0; n < rows.length; n += 200)
        await engine.db
          .insertInto(table as never)
          .values(rows.slice(n, n + 200) as never)
          .execute();
  } finally {
    await engine.close();
  }
}

async function readAll(storage: Storage) {
  const lists = ['org_0', 'org_1'].map((id) => storage.endpoints.list(id));
  return new Map((await Promise.all(lists)).flat().map((endpoint) => [endpoint.id, endpoint]));
}

for (const [name, skip] of [
  ['SQLite', false],
  ['PostgreSQL', noPostgres],
] as const) {
  test(`endpoints of five places move into one table, on ${name}`, { skip }, async (t) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-endpoints-'));
    const database = name === 'SQLite' ? null : await createEmptyDatabase();
    const options: StorageOptions = {
      ...{ dataDir, masterKey: KEY, now: () => NOW },
      ...(database === null ? {} : { databaseUrl: database.databaseUrl }),
    };
    await prepare(options);
    const storage = await openStorage(options);
    t.after(async () => {
      await storage.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const found = await readAll(storage);
    const count = (kind: string) => [...found.values()].filter((one) => one.kind === kind).length;
    assert.deepEqual(ENDPOINT_KINDS.map(count), [8 + FURTHER, 5, NOTIFIED, 1]);
    for (const n of numbers(PROJECTS)) {
      const own = await storage.endpoints.own(`org_${n % 2}`, 'webhook', `proj_${n}`);
      const hasUrl = n % 5 !== 4;
      const hasSecret = n % 4 === 0;
      assert.equal(own !== null, hasUrl || hasSecret || n % 2 === 0, `proj_${n}`);
      if (own === null) continue;
      assert.partialDeepStrictEqual(own, {
        ...{ id: `whk_${n}`, projectId: `proj_${n}`, url: hasUrl ? url(`first${n}`) : null },
        ...{ isEnabled: hasUrl && n % 3 !== 0, events: n % 2 === 0 ? JSON.parse(EVENTS) : null },
        ...{ secretAtMs: hasSecret ? NOW - 500 : null, pausedAtMs: n === 1 ? NOW - 9 : null },
      });
      const secrets = await storage.endpoints.signingSecrets(own.id);
      assert.deepEqual(secrets, hasSecret ? [`secret ${n}`, `previous ${n}`] : []);
      const { policyWebhook } = await storage.endpoints.ofProject(`proj_${n}`);
      const policy = { id: `pep_${n}`, url: url(`policy${n}`), failMode: 'closed', timeoutMs: 200 + n };
      assert.deepEqual(policyWebhook, n % 4 === 0 ? policy : null);
    }
    assert.equal(found.get('pep_2')?.isEnabled, false);
    for (const n of numbers(FURTHER)) {
      assert.partialDeepStrictEqual(found.get(`whk_further${n}`), {
        ...{ kind: 'webhook', url: url(`further${n}`), isEnabled: n % 2 === 1, createdAtMs: NOW + n },
        pausedAtMs: n === 1 ? NOW - 9 : null,
      });
      const secrets = await storage.endpoints.signingSecrets(`whk_further${n}`);
      assert.deepEqual(secrets, n % 2 === 0 ? [] : [`own ${n}`]);
    }
    for (const n of numbers(NOTIFIED)) {
      assert.partialDeepStrictEqual(found.get(`ntf_${n}`), {
        ...{ kind: 'notification', url: url(`notified${n}`), form: FORMS[n % 4], isEnabled: true },
        ...{ digest: n % 3 === 0 ? 'daily' : null, lastError: n % 2 === 0 ? AWKWARD : null },
        quietHours: n % 2 === 0 ? { from: '22:00', to: '07:00', time_zone: AWKWARD } : null,
        lastSuccessAtMs: NOW - n,
      });
      assert.deepEqual(await storage.endpoints.signingSecrets(`ntf_${n}`), n % 4 === 3 ? [`told ${n}`] : []);
    }
    assert.equal(found.get('aud_0')?.url, url('audit'));
    const messages = await storage.notifications.takeDue(500);
    assert.equal(messages.length, 20);
    assert.partialDeepStrictEqual(messages.at(-1), {
      ...{ endpointId: 'ntf_0', organizationId: 'org_0', text: AWKWARD, data: { n: 1 } },
    });
    let deliveries = 0;
    for (const n of numbers(DELIVERIES)) {
      const old = oldDelivery(n);
      const delivery = await storage.deliveries.get(`org_${n % 2}`, `whd_${n}`);
      const owner = n % 3 === 2 ? `aud_${n % 2}` : `whk_${n % PROJECTS}`;
      assert.partialDeepStrictEqual(delivery, {
        ...{ endpointId: old['webhook_id'] ?? owner, kind: n % 3 === 2 ? 'audit' : 'webhook' },
        ...{ projectId: old['project_id'], status: old['status'], payload: AWKWARD, attempts: n % 4 },
      });
      deliveries += (await storage.deliveries.listAttempts(`org_${n % 2}`, `whd_${n}`)).length;
    }
    assert.equal(deliveries, DELIVERIES, 'the attempts of each');
  });
}
