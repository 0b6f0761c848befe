import { parseKeepingNumbers } from '../../text/index.ts';
import { readToolCalls } from './read-calls.ts';
import type { ToolCall } from './tool-call.ts';

/** Replaces a number that a double cannot hold, while arguments are normalized. */
const WRITTEN = '#number';

/**
 * Returns the calls of a body with every number as written: one that a double cannot hold becomes a text of its digits,
 * and stays distinct from any other in `spelling`. `source` is the JSON of the body.
 */
export function readExactCalls(body: unknown, source: () => string): ToolCall[] {
  const calls = readToolCalls(body);
  if (calls.every(({ spelling }) => spelling !== null)) return calls;
  const json = source();
  const compared = readToolCalls(parseKeepingNumbers(json, (written) => ({ [WRITTEN]: written })));
  return readToolCalls(parseKeepingNumbers(json, (written) => written)).map((call, index) => ({
    ...call,
    spelling: compared[index]?.spelling ?? null,
  }));
}
