/**
 * Compares the records with everything clients, the provider, receivers and sites got, and with the device's journal.
 */

import { checkKeys } from './check-keys.ts';
import { checkBatches, checkDeliveries, type EventRow } from './check-work.ts';
import { counted, type Fault } from './faults.ts';
import { attemptsOf, type Entry } from './ledger.ts';
import type { TestEnv } from './test-env.ts';

interface AuditedEvent extends EventRow {
  readonly audited: number;
}

const EVENTS = `SELECT e.id, e.request_id, e.direction, e.route, e.model, e.device_id, e.decision,
  CAST((SELECT count(*) FROM audit_rows a WHERE a.subject = e.id AND a.kind LIKE 'policy_%') AS integer) AS audited
  FROM security_events e`;
const ORPHANS = `SELECT a.subject FROM audit_rows a WHERE a.kind LIKE 'policy_%'
  AND NOT EXISTS (SELECT 1 FROM security_events e WHERE e.id = a.subject)`;

export async function compareRecords(testEnv: TestEnv): Promise<Fault[]> {
  const faults = await testEnv.look(async (look) => {
    const events = await look.query<AuditedEvent>(EVENTS);
    const orphans = await look.query<{ subject: string }>(ORPHANS);
    return [
      ...events.flatMap(({ id, audited }) => counted(`audit rows of ${id}`, audited, 1, 1)),
      ...orphans.map(({ subject }): Fault => ({ kind: 'wrong', what: `audit row of ${subject} alone` })),
      ...callFaults(testEnv, events),
      ...deviceFaults(testEnv, events),
      ...(await checkDeliveries(testEnv, look, events)),
      ...(await checkBatches(testEnv, look, events)),
      ...(await checkKeys(testEnv, look)),
    ];
  });
  const report = await testEnv.withStorage(async (storage) => {
    const [organizationId] = await storage.audit.listOrganizations();
    const verified = await storage.audit.verify(organizationId as string);
    // From now on a missing recent row is detected.
    await storage.audit.checkpoint(organizationId as string);
    return verified;
  });
  if (!report.valid) faults.push({ kind: 'wrong', what: `audit chain: ${JSON.stringify(report.faults)}` });
  return faults;
}

/** Model requests and scans: each has one input event and, if a response was evaluated, one output event. */
function callFaults(testEnv: TestEnv, events: readonly EventRow[]): Fault[] {
  const byModel = Map.groupBy(events, (event) => event.model);
  const asked = new Map<string, number>();
  for (const { body } of testEnv.testProvider.requests) {
    // A request that arrived only in part does not count.
    const model = /"model":"([^"]+)"/.exec(body.toString())?.[1] ?? '';
    asked.set(model, (asked.get(model) ?? 0) + 1);
  }
  return testEnv.ledger.entries.flatMap((entry) => {
    const { kind, mark } = entry.call;
    if (kind !== 'chat' && kind !== 'guard') return [];
    const own = byModel.get(mark) ?? [];
    const inputs = own.filter(({ direction }) => direction === 'input').length;
    const works = attemptsOf(entry);
    const acknowledged = entry.answers.filter((answer) => !answer.isReplay && answer.status !== 409);
    return [
      ...counted(`decisions of ${mark}`, inputs, acknowledged.length, works),
      ...counted(`requests for ${mark} at the provider`, asked.get(mark) ?? 0, 0, inputs),
      ...acknowledged.flatMap((answer) => replyFaults(entry, own, answer)),
      ...prefixFaults(mark, own),
    ];
  });
}

function replyFaults(
  { call: { kind, mark } }: Entry,
  own: readonly EventRow[],
  answer: { readonly status: number; readonly requestId: string; readonly eventId: string },
): Fault[] {
  if (answer.status !== 200 && answer.status !== 403) {
    return [{ kind: 'wrong', what: `${mark} was answered ${answer.status}` }];
  }
  const mine = own.filter((event) => event.request_id === answer.requestId);
  const due = kind === 'chat' && answer.status === 200 ? 2 : 1;
  return [
    ...counted(`events of ${mark}, told ${answer.status}`, mine.length, due, due),
    ...counted(`the event ${mark} was told`, mine.filter(({ id }) => id === answer.eventId).length, 1, 1),
  ];
}

/** Wherever a request was killed: no output event without its input event, and none twice. */
function prefixFaults(mark: string, own: readonly EventRow[]): Fault[] {
  return [...Map.groupBy(own, (event) => event.request_id)].flatMap(([requestId, group]) => {
    const of = (direction: string) => group.filter((event) => event.direction === direction).length;
    return [
      ...counted(`prompts of ${mark}, ${requestId}`, of('input'), 1, 1),
      ...counted(`answers of ${mark}, ${requestId}`, of('output'), 0, 1),
    ];
  });
}

/** Events that the device confirmed are on record; the key of the table prevents duplicates. */
function deviceFaults(testEnv: TestEnv, events: readonly EventRow[]): Fault[] {
  const known = new Set(events.filter(({ device_id }) => device_id !== null).map(({ id }) => id));
  return [...testEnv.confirmedByDevice].flatMap((id) =>
    counted(`decision ${id} of the device`, known.has(id) ? 1 : 0, 1, 1),
  );
}
