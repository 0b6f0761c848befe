/** Keys: each change is complete, with its audit row, and a change that a client saw confirmed is in effect. */
import { keyOf } from './calls.ts';
import type { DatabaseReader } from './engines.ts';
import { counted, type Fault } from './faults.ts';
import { acknowledgedCalls } from './ledger.ts';
import type { TestEnv } from './test-env.ts';

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly is_active: number;
  readonly expires_at_ms: number | null;
}

interface ChangeRow {
  readonly kind: string;
  readonly subject: string;
  readonly data: string;
}

/** How many of the newest keys are tried in requests each round. */
const TRIED = 4;

export async function checkKeys(testEnv: TestEnv, look: DatabaseReader): Promise<Fault[]> {
  const keys = new Map(
    (
      await look.query<KeyRow>(
        "SELECT id, name, is_active, expires_at_ms FROM keys WHERE name LIKE 'crash-%'",
      )
    ).map((row) => [row.id, row]),
  );
  const changes = await look.query<ChangeRow>(
    "SELECT kind, subject, data FROM audit_rows WHERE kind LIKE 'key_%'",
  );
  const of = (kind: string) => changes.filter((change) => change.kind === kind);
  const made = new Map<string, number>();
  for (const { kind, subject, data } of changes) {
    const id =
      kind === 'key_created'
        ? subject
        : kind === 'key_rotated'
          ? (JSON.parse(data) as { new_key_id: string }).new_key_id
          : null;
    if (id !== null) made.set(id, (made.get(id) ?? 0) + 1);
  }
  const deleted = new Set(of('key_deleted').map(({ subject }) => subject));
  const faults: Fault[] = [];
  for (const { call } of testEnv.ledger.entries.filter((entry) => entry.call.kind === 'create')) {
    const created = of('key_created').filter(({ subject }) => keys.get(subject)?.name === call.mark);
    faults.push(...counted(`keys created by ${call.mark}`, created.length, 0, 1));
  }
  for (const [id, key] of keys) {
    faults.push(...counted(`audit rows of the making of ${id}`, made.get(id) ?? 0, 1, 1));
    if (deleted.has(id)) faults.push({ kind: 'lost', what: `the deletion of ${id}` });
    const times = (kind: string) => of(kind).filter(({ subject }) => subject === id).length;
    // Each is requested once, however often it is sent.
    faults.push(
      ...counted(`audit rows of turning ${id} off`, times('key_disabled'), key.is_active ? 0 : 1, 1),
    );
    faults.push(...counted(`audit rows of enabling ${id}`, times('key_enabled'), 0, 0));
    faults.push(
      ...counted(`audit rows of rotating ${id}`, times('key_rotated'), key.expires_at_ms ? 1 : 0, 1),
    );
    if (key.is_active === 1 && times('key_disabled') > 0) {
      faults.push({ kind: 'lost', what: `${id} was disabled but is enabled` });
    }
    if (key.expires_at_ms === null && times('key_rotated') > 0) {
      faults.push({ kind: 'lost', what: `${id} was rotated but does not expire` });
    }
  }
  for (const id of made.keys()) {
    if (!keys.has(id) && !deleted.has(id)) faults.push({ kind: 'lost', what: `key ${id}` });
  }
  return [...faults, ...(await tryNewestKeys(testEnv))];
}

/** Tries the newest keys: created ones work, revoked ones do not. */
async function tryNewestKeys(testEnv: TestEnv): Promise<Fault[]> {
  const ended = new Set<string>();
  for (const { entry } of acknowledgedCalls(testEnv.ledger, 'rotate', 'revoke'))
    ended.add(keyIdIn(entry.call.path));
  for (const { entry, acknowledged } of acknowledgedCalls(testEnv.ledger, 'toggle')) {
    if ((JSON.parse(acknowledged.text) as { is_active?: boolean }).is_active === false)
      ended.add(keyIdIn(entry.call.path));
  }
  const faults: Fault[] = [];
  for (const { acknowledged } of acknowledgedCalls(testEnv.ledger, 'create', 'rotate').slice(-TRIED)) {
    const { id, key } = keyOf(acknowledged);
    const { status } = await fetch(`${testEnv.address}/api/v1/usage/stats`, {
      headers: { 'x-api-key': key },
    });
    if (status !== (ended.has(id) ? 401 : 200)) {
      const kind = ended.has(id) ? 'wrong' : 'lost';
      faults.push({ kind, what: `${id}, ${ended.has(id) ? 'ended' : 'made'}, is answered ${status}` });
    }
  }
  return faults;
}

function keyIdIn(address: string): string {
  return address.split('/')[2] ?? '';
}
