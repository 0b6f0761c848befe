import pg from 'pg';
import { createTestDatabase, noPostgres } from '../../../test/support/databases.ts';
import { noRedis, startRedis } from '../../../test/support/redis.ts';
import { pinServers } from './pin-servers.ts';
import { runLoad } from './run-load.ts';
import { OTHER_CORES, TARGET_CORES } from './start-process.ts';
import { type Summary, summarize } from './statistics.ts';
import { startOurs, type Target } from './targets.ts';
import { type WarmUp, warmUp } from './warm-up.ts';
import { WORKLOADS } from './workloads.ts';

/** Two processes on PostgreSQL and Redis beside one on SQLite, with the same cores for either. */
export interface Replicas {
  readonly onePerSecond: Summary;
  readonly twoPerSecond: Summary;
  /** Of the two, all rounds together: what was answered, and what the record and the counters say. All equal but for 2 events each. */
  readonly answered: number;
  readonly counted: number;
  readonly events: number;
  readonly auditRows: number;
}

/** Why it cannot be measured here; null where it can. */
export const NO_REPLICAS: string | null = noPostgres || noRedis || null;

export async function measureReplicas(
  providerUrl: string,
  options: { readonly roundsEach: number; readonly roundSeconds: number; readonly warmUp: WarmUp },
): Promise<Replicas> {
  const redis = await startRedis();
  const database = await createTestDatabase();
  pinServers();
  const running: Target[] = [];
  try {
    const one = await startOurs(providerUrl, { cores: TARGET_CORES });
    running.push(one);
    const env = { WORKERS: '2', DATABASE_URL: database.databaseUrl, REDIS_URL: redis.url };
    const two = await startOurs(providerUrl, { cores: TARGET_CORES, env });
    running.push(two);
    const rates = { one: [] as number[], two: [] as number[] };
    let answered = 0;
    const loadOf = ({ url, headers }: Target) => ({
      ...WORKLOADS.small,
      name: 'replicas',
      url,
      headers,
      cores: OTHER_CORES,
    });
    await warmUp(loadOf(one), options.warmUp);
    // Each of the two gets half of what comes.
    answered += await warmUp(loadOf(two), { ...options.warmUp, requests: options.warmUp.requests * 2 });
    for (let round = 0; round < options.roundsEach; round++) {
      for (const [name, target] of Object.entries({ one, two }) as ['one' | 'two', Target][]) {
        const done = await runLoad({ ...loadOf(target), seconds: options.roundSeconds });
        if (name === 'two') answered += done.requests;
        rates[name].push(done.requests / done.seconds);
      }
    }
    // Ends it: what was answered is in the books then.
    await two.stop();
    running.pop();
    const books = await readBooks(database.databaseUrl);
    return { onePerSecond: summarize(rates.one), twoPerSecond: summarize(rates.two), answered, ...books };
  } finally {
    for (const target of running) await target.stop();
    await database.drop();
    await redis.stop();
  }
}

async function readBooks(databaseUrl: string): Promise<Pick<Replicas, 'counted' | 'events' | 'auditRows'>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT
      (SELECT sum(requests) FROM usage_counters WHERE length(period) = 7)::int AS counted,
      (SELECT count(*) FROM security_events)::int AS events,
      (SELECT count(*) FROM audit_rows WHERE kind IN ('policy_allow', 'policy_block'))::int AS "auditRows"`);
    return rows[0];
  } finally {
    await client.end();
  }
}
