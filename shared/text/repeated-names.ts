import { BodyError } from './body-error.ts';
import { parseContainer, parseJson } from './parse-json.ts';
import { everyMember, type RepeatedMembers, readRepeatedMembers } from './repeated-members.ts';
import { finish, type Steps } from './steps.ts';
import { countMembers, JSON_BOUNDS, membersOf } from './strict-json.ts';

/**
 * True if JSON repeats a member name in an object, so that two parsers can read it differently; `value`: the parsed
 * JSON. Also true for JSON that is nested too deeply or has too many members to check. Linear.
 */
export function mayRepeatNames(json: string, value: object): boolean {
  try {
    return countMembers(json, JSON_BOUNDS) !== membersOf(value);
  } catch (error) {
    if (error instanceof BodyError) return true;
    throw error;
  }
}

export interface EveryMember {
  /** As JSON.parse reads it: the last of repeated members. */
  readonly value: unknown;
  /** Null: no name is repeated. */
  readonly repeated: RepeatedMembers | null;
}

/** Parses JSON that may repeat names, as in frames of streams. Throws SyntaxError like JSON.parse. */
export function parseEveryMember(text: string): EveryMember {
  const value = parseJson(text);
  const mayRepeat = typeof value === 'object' && value !== null && mayRepeatNames(text, value);
  return { value, repeated: mayRepeat ? readRepeatedMembers(text) : null };
}

/**
 * Parses a text that is a JSON object or array; null for any other text. If names may be repeated, every object becomes
 * a list of objects with one member each, so that no value is lost.
 */
export function parseAllMembers(text: string): object | null {
  return finish(parseAllMembersInSteps(text));
}

/** Does the same in steps. */
export function* parseAllMembersInSteps(text: string): Steps<object | null> {
  const container = parseContainer(text);
  if (container === null || !mayRepeatNames(text, container)) return container;
  return (yield* everyMember(text)) as object;
}
