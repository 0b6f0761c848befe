/**
 * Kills the service, or the agent process that stores decisions, at named points of a request, a webhook delivery, a
 * batch, a device's upload and a key change; then restarts it and compares the records.
 *   npm run lab -- crash [--rounds N] [--seed N] [--database sqlite|postgres|both] [--from N]
 * The number of a round and the seed determine its point and random choices, so that a failed round can be repeated
 * alone. Exits with 1 if anything was lost, duplicated or wrong.
 */
import { type EngineName, engineMissing } from '../../test/support/crash/engines.ts';
import { POINTS } from '../../test/support/crash/points.ts';
import { type RoundResult, runRounds } from '../../test/support/crash/run-rounds.ts';
import { readOptions } from '../options.ts';

export interface CrashPlan {
  readonly engines: readonly EngineName[];
  readonly rounds: number;
  readonly from: number;
  readonly seed: number;
}

/** Parallel databases: a round mostly waits. */
const AT_ONCE = 2;

/** Throws one sentence if the arguments are invalid. */
export function readPlan(args: readonly string[], nowMs: number): CrashPlan {
  const values = readOptions(
    {
      command: 'npm run lab -- crash',
      about:
        'Kills the service at every step of its work, and compares the stored records with the responses.',
      options: {
        rounds: { type: 'string', value: 'N', default: String(POINTS.length), help: 'Number of kills' },
        from: { type: 'string', value: 'N', default: '0', help: 'Number of the first round' },
        seed: {
          type: 'string',
          value: 'N',
          default: String(nowMs % 1_000_000),
          help: 'Seed of the random choices',
        },
        database: { type: 'string', value: 'NAME', default: 'both', help: 'sqlite, postgres or both' },
      },
    },
    args,
  );
  const [rounds, from, seed] = [values.rounds, values.from, values.seed].map(Number) as [
    number,
    number,
    number,
  ];
  if (![rounds, from, seed].every((number) => Number.isInteger(number) && number >= 0)) {
    throw new Error('--rounds, --from and --seed must be integers.');
  }
  const { database } = values;
  if (database !== 'sqlite' && database !== 'postgres' && database !== 'both') {
    throw new Error('--database must be sqlite, postgres or both.');
  }
  return { engines: database === 'both' ? ['sqlite', 'postgres'] : [database], rounds, from, seed };
}

/** Returns one line for each point: its rounds and their problems. */
export function tableOf(results: readonly RoundResult[]): string {
  const width = Math.max(...POINTS.map(({ name }) => name.length));
  const rows = POINTS.map((point) => {
    const own = results.filter((result) => result.point === point);
    const faults = own.flatMap((result) => result.faults);
    const count = (kind: string) => faults.filter((fault) => fault.kind === kind).length;
    return [point.flow, point.name, own.length, count('lost'), count('doubled'), count('wrong')] as const;
  });
  const line = (cells: readonly (string | number)[]): string => {
    const [flow, name, ...counts] = cells.map(String);
    return `${flow?.padEnd(9)}${name?.padEnd(width)}${counts.map((count) => count.padStart(9)).join('')}`;
  };
  const sum = (at: 2 | 3 | 4 | 5) => rows.reduce((total, row) => total + row[at], 0);
  return [
    line(['', 'killed during', 'rounds', 'lost', 'doubled', 'wrong']),
    ...rows.map(line),
    line(['', 'total', sum(2), sum(3), sum(4), sum(5)]),
  ].join('\n');
}

async function main(): Promise<void> {
  const plan = readPlan(process.argv.slice(2), Date.now());
  for (const engine of plan.engines) {
    const missing = engineMissing[engine];
    if (missing !== false) throw new Error(missing);
  }
  console.log(`seed ${plan.seed}`);
  const stretches = stretchesOf(plan);
  const results: RoundResult[] = [];
  let isStopped = false;
  process.once('SIGINT', () => {
    isStopped = true;
    stretches.length = 0;
  });
  const work = async (): Promise<void> => {
    for (let next = stretches.shift(); next !== undefined; next = stretches.shift()) {
      for await (const result of runRounds({ ...next, seed: plan.seed })) {
        // The running processes received the signal too.
        if (isStopped) break;
        results.push(result);
        reportRound(result, results.length, plan.seed);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`\n${tableOf(results)}`);
  if (results.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
}

/** Splits the rounds: each point once per database, so that the number of rounds does not matter. */
function stretchesOf(plan: CrashPlan): { readonly engine: EngineName; readonly rounds: readonly number[] }[] {
  const firsts = Array.from({ length: Math.ceil(plan.rounds / POINTS.length) }, (_, n) => n * POINTS.length);
  return firsts.flatMap((first) => {
    const length = Math.min(POINTS.length, plan.rounds - first);
    const rounds = Array.from({ length }, (_, n) => plan.from + first + n);
    return plan.engines.map((engine) => ({ engine, rounds }));
  });
}

function reportRound(result: RoundResult, count: number, seed: number): void {
  if (result.faults.length > 0) console.log(failureOf(result, seed));
  else if (count % 50 === 0) console.log(`${count} rounds`);
}

function failureOf({ round, engine, point, faults }: RoundResult, seed: number): string {
  return [
    `\nround ${round} on ${engine}, ${point.flow}: ${point.name}`,
    ...faults.map(({ kind, what }) => `  ${kind}: ${what}`),
    `  repeat with: npm run lab -- crash --database ${engine} --seed ${seed} --from ${round} --rounds 1`,
  ].join('\n');
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
