/** The counted usage of accounts. */
import { counted, type Fault } from './faults.ts';
import { attemptsOf } from './ledger.ts';
import type { TestEnv } from './test-env.ts';

/** The counts at a moment after which requests are counted in one way. */
export interface UsageMark {
  readonly hasQuota: boolean;
  readonly decided: number;
  readonly counted: number;
  readonly works: number;
}

/** With a quota, requests are counted before their decision, else with it. Must be called while no service runs. */
export async function startUsage(testEnv: TestEnv, hasQuota: boolean): Promise<UsageMark> {
  await testEnv.withStorage(async (storage) => {
    const [user] = await storage.users.list();
    await storage.subscriptions.set(user?.id as string, {
      // Enterprise has no hard quota.
      plan: hasQuota ? 'scale' : 'enterprise',
      perMinute: 1_000_000,
      monthly: hasQuota ? 1_000_000 : null,
      onDemand: false,
    });
  });
  return { hasQuota, ...(await readUsage(testEnv)) };
}

export async function checkUsage(testEnv: TestEnv, since: UsageMark): Promise<Fault[]> {
  const now = await readUsage(testEnv);
  const decided = now.decided - since.decided;
  // A request may have been counted for a decision that was never made.
  const most = since.hasQuota ? now.works - since.works : decided;
  return counted('requests counted', now.counted - since.counted, decided, most);
}

/** Compares the usage report with the counted events: they are written together, so they have to match exactly. */
export async function compareReport(testEnv: TestEnv): Promise<Fault[]> {
  const rows = await testEnv.look((look) =>
    look.query<{ name: string; reported: number; stored: number }>(
      Object.entries(REPORTED)
        .map(
          ([name, condition]) =>
            `SELECT '${name}' AS name,
             CAST((SELECT coalesce(sum(${name}), 0) FROM usage_details) AS integer) AS reported,
             CAST((SELECT count(*) FROM security_events WHERE ${condition}) AS integer) AS stored`,
        )
        .join(' UNION ALL '),
    ),
  );
  return rows.flatMap(({ name, reported, stored }) =>
    counted(`${name} in the usage report`, reported, stored, stored),
  );
}

/** Columns of the report, and the events that each counts. */
const REPORTED = {
  scans: '1 = 1',
  requests: "direction = 'input'",
  blocked: "decision = 'block'",
  redacted: "decision = 'redact'",
};

async function readUsage(testEnv: TestEnv): Promise<Omit<UsageMark, 'hasQuota'>> {
  return await testEnv.look(async (look) => {
    const [row] = await look.query<{ decided: number; months: number; days: number }>(
      `SELECT CAST((SELECT count(*) FROM security_events WHERE direction = 'input'
         AND route IN ('chat/completions', 'guard')) AS integer) AS decided,
       CAST((SELECT coalesce(sum(requests), 0) FROM usage_counters WHERE length(period) = 7) AS integer) AS months,
       CAST((SELECT coalesce(sum(requests), 0) FROM usage_counters WHERE length(period) = 10) AS integer) AS days`,
    );
    const { decided = 0, months = 0, days = 0 } = row ?? {};
    if (months !== days) throw new Error(`${months} requests counted by month, ${days} by day`);
    const calls = testEnv.ledger.entries.filter(({ call }) => call.kind === 'chat' || call.kind === 'guard');
    const works = calls.reduce((sum, entry) => sum + attemptsOf(entry), 0);
    return { decided, counted: months, works };
  });
}
