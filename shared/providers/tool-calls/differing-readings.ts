import { readDefinedTools } from './read-request-tools.ts';
import type { CallReading, ToolCall } from './tool-call.ts';

/** The reason shown for a call that clients can read as different ones. */
export const READ_IN_TWO_WAYS = 'It calls a tool in a form that is read in two ways.';

/** Returns every reading of the calls: all of them are judged. */
export function everyReading(calls: readonly ToolCall[]): CallReading[] {
  return calls.flatMap((call) => [call, ...call.others]);
}

/**
 * Returns the calls that one client can take for another call than a second one. A reading whose tool the request does
 * not define, or whose arguments are no JSON, runs nowhere: it is judged, but does not make a call differ.
 */
export function readInTwoWays(calls: readonly ToolCall[], request: unknown): ToolCall[] {
  const ambiguous = calls.filter(({ others }) => others.length > 0);
  if (ambiguous.length === 0) return [];
  const defined = readDefinedTools(request);
  return ambiguous.filter((call) => {
    const runnable = everyReading([call]).filter(
      ({ name, isWellFormed }) => isWellFormed && defined.has(name),
    );
    return runnable.some((one) => !isSameCall(one, runnable[0]!));
  });
}

/** Numbers that a double cannot hold are not comparable. */
function isSameCall(one: CallReading, other: CallReading): boolean {
  return (
    one === other || (one.name === other.name && one.spelling !== null && one.spelling === other.spelling)
  );
}

/**
 * Returns the readings that an approval of their call does not cover: a person is shown the own client's reading. A text
 * that is no JSON was shown as written.
 */
export function unapprovedReadings(calls: readonly ToolCall[]): ReadonlySet<CallReading> {
  return new Set(
    calls.flatMap(({ name, others }) => others.filter((one) => one.isWellFormed || one.name !== name)),
  );
}
