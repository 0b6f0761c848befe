/** Rounds of work in progress, a kill at a named point, a restart, and a comparison of the records. */
import { seededRandom } from '../random.ts';
import { anyCall } from './calls.ts';
import { checkUsage, compareReport, startUsage, type UsageMark } from './check-usage.ts';
import { compareRecords } from './compare-records.ts';
import type { EngineName } from './engines.ts';
import type { Fault } from './faults.ts';
import { FLOW } from './flows.ts';
import { POINTS, type Point } from './points.ts';
import { repeatCalls } from './repeat-calls.ts';
import { openTestEnv, type TestEnv } from './test-env.ts';

export interface RoundsOptions {
  readonly engine: EngineName;
  /** Numbers of the rounds: number and seed determine the point and the random choices. */
  readonly rounds: readonly number[];
  readonly seed: number;
}

export interface RoundResult {
  readonly round: number;
  readonly engine: EngineName;
  readonly point: Point;
  readonly faults: readonly Fault[];
}

const CALLS = 4;

function pointOf(round: number): Point {
  return POINTS[round % POINTS.length] as Point;
}

/** Runs all on one database, in order. After a failure the next ones get a new one. */
export async function* runRounds(options: RoundsOptions): AsyncGenerator<RoundResult> {
  let testEnv: CountedTestEnv | null = null;
  try {
    for (const round of options.rounds) {
      const point = pointOf(round);
      let faults: Fault[];
      try {
        testEnv ??= await openCounted(options.engine, hasQuota(round));
        faults = await runRound(testEnv, point, round, options.seed);
      } catch (error) {
        faults = [{ kind: 'wrong', what: error instanceof Error ? String(error.stack) : String(error) }];
      }
      yield { round, engine: options.engine, point, faults };
      if (faults.length === 0) continue;
      await testEnv?.close();
      testEnv = null;
    }
  } finally {
    await testEnv?.close();
  }
}

type CountedTestEnv = TestEnv & { usage: UsageMark };

/** Both ways of counting occur with every point. */
function hasQuota(round: number): boolean {
  return (round + Math.floor(round / POINTS.length)) % 2 === 1;
}

async function openCounted(engine: EngineName, quota: boolean): Promise<CountedTestEnv> {
  const testEnv = await openTestEnv(engine);
  try {
    const usage = await startUsage(testEnv, quota);
    await testEnv.start();
    return Object.assign(testEnv, { usage });
  } catch (error) {
    await testEnv.close();
    throw error;
  }
}

async function runRound(
  testEnv: CountedTestEnv,
  point: Point,
  number: number,
  seed: number,
): Promise<Fault[]> {
  // One for each of those that act concurrently.
  const chances = (which: number) => seededRandom((seed * 1_000_003 + number) * 16 + which);
  const random = chances(0);
  const mark = `crash-${number}-`;
  const flow = FLOW[point.flow];
  const known = testEnv.ledger.entries.length;
  const round = { point, mark, random, kill: () => armed.kill() };
  await flow.prepare?.(testEnv, round);
  const armed = await testEnv.arm(point, mark);
  let isOver = false;
  const death = armed.death.finally(() => {
    isOver = true;
  });
  const caller = async (which: number): Promise<void> => {
    const own = chances(which);
    for (let n = 0; n < CALLS && !isOver; n++) {
      await testEnv.send(anyCall(`load-${number}-${which}-${n}-`, own));
    }
  };
  await Promise.all([death, flow.act(testEnv, round), caller(1), caller(2), caller(3)]);

  await testEnv.bury(point.kills, random);
  const faults = [...(await checkUsage(testEnv, testEnv.usage)), ...(await compareReport(testEnv))];
  if (point.kills === 'service') {
    testEnv.usage = await startUsage(testEnv, hasQuota(number + 1));
    await testEnv.start();
  }
  faults.push(...(await repeatCalls(testEnv, testEnv.ledger.entries.slice(known))));
  await flow.finish?.(testEnv, round);
  await testEnv.untilDone();
  faults.push(
    ...(await compareRecords(testEnv)),
    ...(await checkUsage(testEnv, testEnv.usage)),
    ...(await compareReport(testEnv)),
  );
  return faults;
}
