import {
  canonicalJson,
  hasExactNumbers,
  mayRepeatNames,
  parseContainer,
  parseKeepingNumbers,
} from '../../text/index.ts';

/** A call of a tool, as the model wrote it. */
export interface ToolCall {
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
}

/** `given` is the provider's value of the arguments: an object, its JSON as text, or another text. */
export function toToolCall(path: string, id: unknown, name: string, given: unknown): ToolCall {
  const call = { path, id: typeof id === 'string' ? id : null, name };
  const container = typeof given === 'string' ? parseContainer(given) : null;
  // Only the tool knows which of the repeated members it uses.
  if (typeof given === 'string' && container !== null && mayRepeatNames(given, container))
    return { ...call, arguments: { input: given }, spelling: given };
  const value = container ?? given;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const args = isObject
    ? (value as ToolCall['arguments'])
    : value === undefined || value === ''
      ? {}
      : { input: value };
  const isInexact = container !== null && !hasExactNumbers(args);
  const read = isInexact ? exactly(given as string, args) : args;
  return { ...call, arguments: read, spelling: spell(given, args) };
}

/** Returns the arguments with every number that a double cannot hold as a string of its digits. */
function exactly(json: string, args: ToolCall['arguments']): ToolCall['arguments'] {
  try {
    const value = parseKeepingNumbers(json, (written) => written);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as ToolCall['arguments']) : { input: value };
  } catch {
    // Nested too deeply to be traversed.
    return args;
  }
}

const LONG_NUMBER = /\d{16}/;

function spell(given: unknown, args: ToolCall['arguments']): string | null {
  const isText = typeof given === 'string';
  if (hasExactNumbers(args) && !(isText && LONG_NUMBER.test(given))) return canonicalJson(args);
  return isText ? given : null;
}
