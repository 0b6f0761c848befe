import { findTestFiles, runTests } from '../run-tests.ts';
import { joinReached, type Reached, writeReachMap } from './reach-map.ts';
import { recordReach } from './record-reach.ts';

/** Runs tests as `runTests` does, and records which functions each runs. */
export async function runAndRecord(root: string, args: readonly string[]): Promise<number> {
  const recorded = new Map<string, Reached>();
  const around = recordReach(root, (test, reached) => {
    recorded.set(test, joinReached(recorded.get(test) ?? new Map(), reached));
  });
  try {
    return await runTests(args, around);
  } finally {
    writeReachMap(root, recorded, findTestFiles(root, []));
  }
}
