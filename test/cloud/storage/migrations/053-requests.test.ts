/** A database of the last version, with 2,000 requests: nothing is lost, and what was sealed is still opened. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { REQUEST_KINDS, type RequestKind } from '@csg/shared/contract';
import { sql } from 'kysely';
import { databaseOf, openEngine } from '../../../../apps/cloud/src/storage/engines/open-engine.ts';
import { migrate } from '../../../../apps/cloud/src/storage/migrate.ts';
import { MIGRATIONS } from '../../../../apps/cloud/src/storage/migrations/all.ts';
import { openStorage } from '../../../../apps/cloud/src/storage/open-storage.ts';
import { SEAL_CONTEXTS } from '../../../../apps/cloud/src/storage/sealing/seal-contexts.ts';
import { createSealer } from '../../../../apps/cloud/src/storage/sealing/sealer.ts';
import type { StorageOptions } from '../../../../apps/cloud/src/storage/storage.ts';
import { createEmptyDatabase, noPostgres } from '../../../support/databases.ts';

const OF_EACH = 500;
const NOW = Date.UTC(2026, 10, 30);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AWKWARD = `it's "quoted" \\ and {braced}\n§ 💡`;
const KEY = Buffer.alloc(32, 7);

const STATES = {
  exceptions: ['pending', 'approved', 'denied', 'cancelled', 'expired'],
  tool_requests: ['pending', 'approved', 'denied', 'cancelled'],
  tool_reviews: ['pending', 'approved', 'denied', 'used'],
  event_marks: ['recorded', 'pending', 'approved', 'denied'],
} as const;

type OldTable = keyof typeof STATES;
type OldRow = Record<string, string | number | Buffer | null>;

/** The row number `n` of a table of the last version. */
function oldRow(table: OldTable, n: number): OldRow {
  const status = STATES[table][n % STATES[table].length]!;
  const createdAtMs = NOW - n * MINUTE;
  const isDecided = !['pending', 'recorded', 'expired'].includes(status);
  const common = {
    ...{ organization_id: n % 2 === 0 ? 'org_a' : 'org_b', project_id: n % 3 === 0 ? null : 'proj_a' },
    ...{ requester_user_id: n % 5 === 0 ? null : 'usr_a', status, created_at_ms: createdAtMs },
    ...{ decided_by: isDecided ? 'usr_b' : null, decided_at_ms: isDecided ? createdAtMs + 1 : null },
    ...{ decision_reason: isDecided ? AWKWARD : null, event_id: `evt_${n}` },
  };
  const device = n % 4 === 0 ? 'dev_a' : null;
  const request = {
    ...{ device_id: device, requested_by: device ?? 'key_a', justification: n % 2 === 0 ? AWKWARD : null },
    changed_at_ms: createdAtMs + 1,
  };
  const startsAtMs = status === 'approved' || status === 'expired' ? createdAtMs + 1 : null;
  switch (table) {
    case 'exceptions':
      return {
        ...{ ...common, ...request, id: `exc_${n}`, destination_host: AWKWARD, host_key: `${n}.example` },
        ...{ policy_id: null, threat: n % 2 === 0 ? 'pii_leak' : null, reason_category: null },
        ...{ requested_minutes: 30 + n, starts_at_ms: startsAtMs },
        expires_at_ms: startsAtMs && (status === 'approved' ? NOW + DAY : startsAtMs + MINUTE),
      };
    case 'tool_requests':
      return { ...common, ...request, id: `treq_${n}`, requested_host: 'grok.com', requested_name: AWKWARD };
    case 'tool_reviews': {
      const id = `trev_${n}`;
      const given = Buffer.from(JSON.stringify({ n }));
      return {
        ...{ ...common, id, requested_by: device ?? 'key_a', agent_id: AWKWARD, session_id: null },
        ...{ tool_name: 'pay', call_hash: `hash ${n}`, reason: 'listed', expires_at_ms: NOW + DAY },
        sealed_arguments:
          n % 7 === 0
            ? null
            : createSealer({ current: KEY, previous: [] }).seal(given, SEAL_CONTEXTS.requestDetail(id)),
      };
    }
    case 'event_marks':
      return {
        ...{ ...common, id: `fbk_${n}`, note: AWKWARD, marked_by: device ?? 'usr_a' },
        ...{ allow_text: n % 2, event: JSON.stringify({ id: `evt_${n}`, findings: [{ rule: AWKWARD }] }) },
      };
  }
}

const KIND_OF: Readonly<Record<OldTable, RequestKind>> = {
  ...{ exceptions: 'exception', tool_requests: 'tool_request' },
  ...{ tool_reviews: 'tool_review', event_marks: 'false_positive' },
};
const TABLES = Object.keys(STATES) as OldTable[];

/** A database as the last version left it. */
async function prepare(options: StorageOptions): Promise<void> {
  const engine = await openEngine(databaseOf(options), () => {});
  try {
    const at = MIGRATIONS.findIndex(({ name }) => name === 'audit-verifications');
    await migrate(engine.db, engine.dialect, MIGRATIONS.slice(0, at));
    const run = (text: string) => sql.raw(text).execute(engine.db);
    await run(
      `insert into users (id, email, email_key, created_at_ms) values ('usr_a', 'a@a.example', 'a@a.example', 1)`,
    );
    for (const id of ['org_a', 'org_b'])
      await run(
        `insert into organizations (id, kind, name, owner_id, created_at_ms) values ('${id}', 'team', '${id}', 'usr_a', 1)`,
      );
    for (const table of TABLES)
      for (let n = 0; n < OF_EACH; n += 100) {
        const rows = Array.from({ length: 100 }, (_, i) => oldRow(table, n + i));
        await engine.db
          .insertInto(table as never)
          .values(rows as never)
          .execute();
      }
  } finally {
    await engine.close();
  }
}

for (const [name, skip] of [
  ['SQLite', false],
  ['PostgreSQL', noPostgres],
] as const) {
  test(`requests of four tables move into one, on ${name}`, { skip }, async (t) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'csg-requests-'));
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
    for (const table of TABLES) {
      for (let n = 0; n < OF_EACH; n++) {
        const old = oldRow(table, n);
        const organizationId = String(old['organization_id']);
        const found = await storage.requests.get(organizationId, String(old['id']));
        assert.ok(found !== null, String(old['id']));
        assert.equal(found.kind, KIND_OF[table]);
        assert.partialDeepStrictEqual(found, {
          ...{ projectId: old['project_id'], createdAtMs: old['created_at_ms'], eventId: old['event_id'] },
          ...{ decidedBy: old['decided_by'], decidedAtMs: old['decided_at_ms'], status: old['status'] },
          ...{ decisionReason: old['decision_reason'] },
          ...expectedDetails(table, old, n),
        });
      }
    }
    const pages = ['org_a', 'org_b'].flatMap((organizationId) =>
      REQUEST_KINDS.map((kind) => storage.requests.list(organizationId, { kind, limit: 500 })),
    );
    assert.equal((await Promise.all(pages)).flat().length, TABLES.length * OF_EACH);
    const scope = { projectId: 'proj_a', deviceId: 'dev_a' };
    const [active] = await storage.requests.listApproved('org_b', 'exception', scope, '1.example');
    assert.equal(active?.id, 'exc_1');
    assert.equal((await storage.requests.findReport('org_a', 'evt_2'))?.id, 'fbk_2');
  });
}

function expectedDetails(table: OldTable, old: OldRow, n: number): object {
  const requestedBy = n % 4 === 0 ? 'dev_a' : table === 'event_marks' ? 'usr_a' : 'key_a';
  const from = { requestedBy, deviceId: n % 4 === 0 ? 'dev_a' : null };
  const isPending = old['status'] === 'pending';
  const week = Number(old['created_at_ms']) + 7 * DAY;
  switch (table) {
    case 'exceptions':
      return {
        ...{ ...from, destinationHost: AWKWARD, threat: old['threat'], requestedMinutes: 30 + n },
        ...{ policyId: null, reasonCategory: null, requesterUserId: old['requester_user_id'] },
        ...{ justification: old['justification'], startsAtMs: old['starts_at_ms'] },
        ...{ expiresAtMs: old['expires_at_ms'], pendingUntilMs: isPending ? week : null },
      };
    case 'tool_requests':
      return {
        ...{ ...from, requestedHost: 'grok.com', requestedName: AWKWARD, expiresAtMs: null },
        pendingUntilMs: isPending ? week : null,
      };
    case 'tool_reviews':
      return {
        ...{ ...from, agentId: AWKWARD, sessionId: null, toolName: 'pay', reason: 'listed' },
        ...{ arguments: n % 7 === 0 ? null : { n }, endsAtMs: NOW + DAY },
      };
    case 'event_marks':
      return {
        ...{ ...from, justification: AWKWARD, allowText: n % 2 === 1, pendingUntilMs: null },
        // Before it was stored, the person who reported was known by the name of the reporter alone.
        requesterUserId: old['requester_user_id'] ?? (n % 4 === 0 ? null : 'usr_a'),
        event: { id: `evt_${n}`, findings: [{ rule: AWKWARD }] },
      };
  }
}
