import {
  canonicalJson,
  hasExactNumbers,
  mayRepeatNames,
  parseContainer,
  parseKeepingNumbers,
} from '../../text/index.ts';

/** A call of a tool, as the model wrote it. */
export interface ToolCall {
  /** JSON pointer of the call; in a stream where its pieces were put together. */
  readonly path: string;
  /** The provider's id of the call, which its result names. */
  readonly id: string | null;
  readonly name: string;
  /**
   * Text that is no JSON object, or names a member twice, stands in the member `input`; digits of a text that a double
   * cannot hold are a text.
   */
  readonly arguments: Readonly<Record<string, unknown>>;
  /**
   * The arguments in one spelling: equal for the same arguments however they were written. Null: a number lost digits by
   * being parsed, so that they cannot be compared.
   */
  readonly spelling: string | null;
}

/** `given` is the value that the provider has for the arguments: an object, its JSON as text, or another text. */
export function toToolCall(path: string, id: unknown, name: string, given: unknown): ToolCall {
  const call = { path, id: typeof id === 'string' ? id : null, name };
  const container = typeof given === 'string' ? parseContainer(given) : null;
  // Which of its values counts, only the tool knows.
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

/** The arguments with the digits of every number that a double cannot hold, as a text. */
function exactly(json: string, args: ToolCall['arguments']): ToolCall['arguments'] {
  try {
    const value = parseKeepingNumbers(json, (written) => written);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as ToolCall['arguments']) : { input: value };
  } catch {
    // Nested deeper than it can be walked.
    return args;
  }
}

const LONG_NUMBER = /\d{16}/;

function spell(given: unknown, args: ToolCall['arguments']): string | null {
  const isText = typeof given === 'string';
  if (hasExactNumbers(args) && !(isText && LONG_NUMBER.test(given))) return canonicalJson(args);
  return isText ? given : null;
}
