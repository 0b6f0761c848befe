import { parseKeepingNumbers, type Steps } from '../../text/index.ts';
import { ownClientOf } from './own-client.ts';
import { joinReadings } from './read-block.ts';
import { readCallsIn } from './read-calls.ts';
import type { ToolCall } from './tool-call.ts';

/** Replaces a number that a double cannot hold, while arguments are normalized. */
const WRITTEN = '#number';

/**
 * Returns the calls of a body with every number as written: one that a double cannot hold becomes a text of its digits,
 * and stays distinct from any other in `spelling`. `source` is the JSON of the body, `format` the name of its interface.
 */
export function* readExactCalls(body: unknown, source: () => string, format = ''): Steps<ToolCall[]> {
  const own = ownClientOf(format);
  const calls = yield* readCallsIn(body, own);
  const isExact = calls.every((readings) => readings.every(({ spelling }) => spelling !== null));
  if (isExact) return calls.flatMap((readings) => joinReadings(readings) ?? []);
  const json = source();
  const compared = yield* readCallsIn(
    parseKeepingNumbers(json, (written) => ({ [WRITTEN]: written })),
    own,
  );
  yield;
  const exact = yield* readCallsIn(
    parseKeepingNumbers(json, (written) => written),
    own,
  );
  return exact.flatMap((readings, at) => {
    const spelled = readings.map((one, i) => ({ ...one, spelling: compared[at]?.[i]?.spelling ?? null }));
    return joinReadings(spelled) ?? [];
  });
}
