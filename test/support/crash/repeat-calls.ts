/** Clients without a response repeat their requests, and so do those with one. */
import type { Fault } from './faults.ts';
import { type Entry, outcomeOf, type Reply } from './ledger.ts';
import type { TestEnv } from './test-env.ts';

interface KeptState {
  readonly idempotency_key: string;
  readonly state: string;
  readonly lease_ends_at_ms: number;
}

/**
 * The documented behavior of a repetition: stored responses are returned, claimed keys are held, the rest runs again.
 */
export async function repeatCalls(testEnv: TestEnv, entries: readonly Entry[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  const kept = await testEnv.look((look) =>
    look.query<KeptState>('SELECT idempotency_key, state, lease_ends_at_ms FROM idempotency_records'),
  );
  const records = new Map(kept.map((row) => [row.idempotency_key, row]));
  const held: Entry[] = [];
  for (const entry of entries) {
    const { call } = entry;
    const before = outcomeOf(entry);
    if (call.idempotencyKey === null) {
      if (before === undefined) await testEnv.send(call);
      continue;
    }
    const again = await testEnv.send(call);
    const record = records.get(call.idempotencyKey);
    const isFree = Number(record?.lease_ends_at_ms) <= testEnv.nowMs;
    const state = record?.state === 'running' && isFree ? 'free' : (record?.state ?? 'absent');
    const fault = judge(state, before, again);
    if (fault !== null) faults.push({ ...fault, what: `${call.mark} repeated (${state}): ${fault.what}` });
    if (again?.status === 409) held.push(entry);
  }
  await testEnv.passLeases();
  for (const { call } of held) {
    const again = await testEnv.send(call);
    if (again === null || again.isReplay || again.status >= 409) {
      const what = `${call.mark} after its lease: ${again?.status} ${again?.text}`;
      faults.push({ kind: 'wrong', what });
    }
  }
  return faults;
}

function judge(state: string, before: Reply | undefined, again: Reply | null): Fault | null {
  if (again === null) return { kind: 'wrong', what: 'no answer' };
  const shown = `${again.status} ${again.text.slice(0, 200)}`;
  if (before !== undefined) {
    if (!again.isReplay) return { kind: 'doubled', what: `was told and is not kept: ${shown}` };
    const isSame = again.text === before.text && again.status === before.status;
    return isSame && again.eventId === before.eventId
      ? null
      : { kind: 'wrong', what: `another answer: ${shown}` };
  }
  switch (state) {
    case 'running':
      return again.status === 409 && again.retryAfter !== null ? null : { kind: 'wrong', what: shown };
    case 'done':
      return again.isReplay ? null : { kind: 'doubled', what: `kept, and done again: ${shown}` };
    default:
      return again.isReplay || again.status >= 404 ? { kind: 'wrong', what: shown } : null;
  }
}
