import { parse as parseTolerantly } from 'jsonc-parser';
import {
  canonicalJsonInSteps,
  closeCutJson,
  countMembers,
  finish,
  hasExactNumbersInSteps,
  JSON_BOUNDS,
  mayRepeatNames,
  parseContainer,
  parseKeepingNumbers,
  readRepeatedMembers,
  type Steps,
} from '../../text/index.ts';

/** A call of a tool in one of the ways in which a client can read it. */
export interface CallReading {
  /** JSON pointer of the call; in a stream its position in the assembled response. */
  readonly path: string;
  /** The provider's id of the call, which its result repeats. */
  readonly id: string | null;
  readonly name: string;
  /**
   * A text that is not a JSON object, or that repeats a member name, becomes the member `input`; numbers in a text that
   * a double cannot hold become strings of their digits.
   */
  readonly arguments: Readonly<Record<string, unknown>>;
  /**
   * The arguments in normalized form: equal for equal arguments. Null: a number lost digits by being parsed, so they
   * cannot be compared.
   */
  readonly spelling: string | null;
  /** JSON pointer of the member with the arguments; null: there is none. */
  readonly argumentsPath: string | null;
  /** False: a text where the interface has JSON, which no program accepts as arguments. */
  readonly isWellFormed: boolean;
}

/** A call as the interface's own client reads it, which a person is shown and approves. */
export interface ToolCall extends CallReading {
  /** The other ways to read it, none of them equal to it. */
  readonly others: readonly CallReading[];
}

/** The arguments of a call as the provider wrote them. */
export interface GivenArguments {
  readonly value: unknown;
  /** True if the interface has a text here, not JSON. */
  readonly isText: boolean;
  readonly path: string | null;
  /** True if the own client gives its program the part of cut JSON that it can read, and the last of repeated members. */
  readonly isCutRead?: boolean;
}

/** Returns the readings of a call's arguments: what the program of the interface's own client gets comes first. */
export function* readArguments(
  call: Pick<CallReading, 'path' | 'id' | 'name'>,
  { value, isText, path: argumentsPath, isCutRead = false }: GivenArguments,
): Steps<CallReading[]> {
  const reading = (read: Arguments, isWellFormed: boolean): CallReading => ({
    ...{ path: call.path, id: call.id, name: call.name, arguments: read.arguments, spelling: read.spelling },
    ...{ argumentsPath, isWellFormed },
  });
  if (typeof value !== 'string') return [reading(yield* spelled(value, value), isObjectOrNothing(value))];
  // Each of these reads the whole text.
  const container = parseContainer(value);
  yield;
  if (container === null) {
    const asWritten = reading(yield* textual(value), isText);
    const prefix = isText ? null : tolerantly(value);
    yield;
    const readings =
      prefix === null ? [asWritten] : [asWritten, reading(yield* spelled(value, prefix), false)];
    const closed = isCutRead ? closeCutJson(value) : null;
    yield;
    if (closed === null || parseContainer(closed) === null) return readings;
    const given = { value: closed, isText, path: argumentsPath, isCutRead };
    return [...(yield* readArguments(call, given)), ...readings];
  }
  if (!mayRepeatNames(value, container))
    return [reading(yield* spelled(value, container), isObject(container))];
  // Only the tool knows which of the repeated members it uses.
  const views = isBounded(value) ? [container, readRepeatedMembers(value).first].filter(isObject) : [];
  const asWritten = reading({ arguments: { input: value }, spelling: value }, false);
  const parsed: CallReading[] = [];
  for (const view of views) parsed.push(reading(yield* spelled(null, view), true));
  return isCutRead ? [...parsed, asWritten] : [asWritten, ...parsed];
}

/** Other JSON is shown and judged as written, because it is too deep or too large to be compared. */
function isBounded(json: string): boolean {
  try {
    return countMembers(json, JSON_BOUNDS) > 0;
  } catch {
    return false;
  }
}

type Arguments = Pick<CallReading, 'arguments' | 'spelling'>;

/** `given` is the provider's value of the arguments: an object, its JSON as text, or another text. */
export function* toToolCall(path: string, id: unknown, name: string, given: unknown): Steps<ToolCall> {
  const call = { path, id: typeof id === 'string' ? id : null, name };
  const [own, ...others] = yield* readArguments(call, { value: given, isText: false, path });
  return { ...own!, others };
}

/** A longer text is not compared with calls. */
const MAX_COMPARED = 262_144;

/** The normalized arguments of a text, for comparison with those of calls; null: they cannot be told. */
export function spellingOf(text: string): string | null {
  if (text.length > MAX_COMPARED) return null;
  const given = { value: text, isText: false, path: null };
  return finish(readArguments({ path: '', id: null, name: '' }, given))[0]!.spelling;
}

function* textual(text: string): Steps<Arguments> {
  return text === '' ? { arguments: {}, spelling: '{}' } : yield* spelled(text, { input: text });
}

function* spelled(given: unknown, value: unknown): Steps<Arguments> {
  const args = isObject(value) ? value : value === undefined ? {} : { input: value };
  yield;
  const isExact = yield* hasExactNumbersInSteps(args);
  const read = typeof given === 'string' && !isExact ? exactly(given, args) : args;
  return { arguments: read, spelling: yield* spell(given, args, isExact) };
}

/** Longer JSON with such numbers is judged as written, because it cannot be parsed in steps. */
const MAX_INEXACT = 262_144;

/** Returns the arguments with every number that a double cannot hold as a string of its digits. */
function exactly(json: string, args: CallReading['arguments']): CallReading['arguments'] {
  if (json.length > MAX_INEXACT) return { input: json };
  try {
    const value = parseKeepingNumbers(json, (written) => written);
    return isObject(value) ? value : { input: value };
  } catch {
    // Nested too deeply to be traversed.
    return args;
  }
}

/** Some clients give their program the part of cut JSON that they can read. */
function tolerantly(text: string): unknown {
  if (!/^\s*\{/.test(text)) return null;
  try {
    const value: unknown = parseTolerantly(text);
    return isObject(value) ? value : null;
  } catch {
    // Nested too deeply to be traversed.
    return null;
  }
}

const LONG_NUMBER = /\d{16}/;

function* spell(given: unknown, args: CallReading['arguments'], isExact: boolean): Steps<string | null> {
  const isText = typeof given === 'string';
  if (isExact && !(isText && LONG_NUMBER.test(given))) return yield* canonicalJsonInSteps(args);
  return isText ? given : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isObjectOrNothing = (value: unknown): boolean => value === undefined || isObject(value);
