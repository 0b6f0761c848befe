/** Deliveries and batches: all that started has ended, the right number of times. */
import type { DatabaseReader } from './engines.ts';
import { counted, type Fault } from './faults.ts';
import { acknowledgedCalls } from './ledger.ts';
import type { TestEnv } from './test-env.ts';

export interface EventRow {
  readonly id: string;
  readonly request_id: string;
  readonly direction: 'input' | 'output';
  readonly route: string;
  readonly model: string | null;
  readonly device_id: string | null;
  readonly decision: string;
}

interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly status: string;
  readonly payload: string;
}

/** One delivery for each block, with the same id at its receiver, and at most one more for each killed process. */
export async function checkDeliveries(
  testEnv: TestEnv,
  look: DatabaseReader,
  events: readonly EventRow[],
): Promise<Fault[]> {
  const rows = await look.query<DeliveryRow>('SELECT id, event_id, status, payload FROM webhook_deliveries');
  const byEvent = Map.groupBy(rows, (row) => row.event_id);
  const got = Map.groupBy(testEnv.received, ({ webhook }) => String(webhook.headers['x-service-delivery']));
  const known = new Set(rows.map(({ id }) => id));
  return [
    ...events.flatMap(({ id, decision }) => {
      const due = decision === 'block' ? 1 : 0;
      return counted(`deliveries of ${id}`, byEvent.get(id)?.length ?? 0, due, due);
    }),
    ...rows.flatMap(({ id, event_id, status, payload }): Fault[] => {
      const receipts = got.get(id) ?? [];
      const faults: Fault[] = [];
      if (status !== 'delivered') faults.push({ kind: 'lost', what: `delivery ${id} is ${status}` });
      for (const { webhook } of receipts) {
        const isSame = webhook.raw.toString() === payload && webhook.body.data['event_id'] === event_id;
        if (!isSame) faults.push({ kind: 'wrong', what: `delivery ${id} told something else` });
      }
      const taken = receipts.filter(({ isRefused }) => !isRefused);
      const lives = new Set(taken.map(({ life }) => life));
      // A killed process may have sent it without recording that: the next one sends it again.
      faults.push(...counted(`lives that delivered ${id}`, lives.size, 1, 2));
      faults.push(...counted(`receipts of ${id}`, taken.length, 1, lives.size));
      return faults;
    }),
    ...[...got.keys()]
      .filter((id) => !known.has(id))
      .map((id): Fault => ({ kind: 'lost', what: `delivery ${id} was told and is not on record` })),
  ];
}

interface PageRow {
  readonly job_id: string;
  readonly url: string;
  readonly status: string;
  readonly is_empty: number;
}

/** Every batch that a client saw confirmed exists with all its pages, each with one result. */
export async function checkBatches(
  testEnv: TestEnv,
  look: DatabaseReader,
  events: readonly EventRow[],
): Promise<Fault[]> {
  const rows = await look.query<PageRow>(
    `SELECT job_id, url, status, CASE WHEN sealed_result IS NULL THEN 1 ELSE 0 END AS is_empty FROM scrape_pages`,
  );
  const jobs = Map.groupBy(rows, (row) => row.job_id);
  const decisions = events.filter(({ route }) => route === 'scrape').length;
  return [
    ...rows
      .filter((row) => row.status !== 'done' || row.is_empty === 1)
      .map(({ url, status }): Fault => ({ kind: 'lost', what: `page ${url} is ${status}` })),
    ...counted('decisions on pages', decisions, rows.length, testEnv.fetched.length),
    ...acknowledgedCalls(testEnv.ledger, 'batch').flatMap(({ entry, acknowledged }) => {
      const { job_id = '' } = JSON.parse(acknowledged.text) as { job_id?: string };
      const { urls } = JSON.parse(entry.call.body ?? '') as { urls: string[] };
      const made = [...jobs.values()].filter(([page]) => page?.url.includes(`/${entry.call.mark}`)).length;
      return [
        ...counted(`pages of ${entry.call.mark}`, jobs.get(job_id)?.length ?? 0, urls.length, urls.length),
        ...counted(`batches of ${entry.call.mark}`, made, 1, 1),
      ];
    }),
  ];
}
