import { parseKeepingNumbers } from '../../text/index.ts';
import { readToolCalls } from './read-calls.ts';
import type { ToolCall } from './tool-call.ts';

/** What stands in a spelling in place of a number that a double cannot hold. */
const WRITTEN = '#number';

/**
 * The calls of a body with every number as it was written: one that a double cannot hold is its digits, as a text, and
 * cannot be taken for another in the spelling. `source` is the JSON that the body was read from.
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
