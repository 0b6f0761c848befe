import { type Node, parseTree } from 'jsonc-parser';
import { BodyError } from './body-error.ts';
import { parseContainer } from './parse-json.ts';
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

/**
 * Parses a text that is a JSON object or array; null for any other text. If names may be repeated, every object becomes
 * a list of objects with one member each, so that no value is lost.
 */
export function parseAllMembers(text: string): object | null {
  const container = parseContainer(text);
  if (container === null || !mayRepeatNames(text, container)) return container;
  try {
    return everyMember(parseTree(text)!) as object;
  } catch {
    // Nested too deeply to traverse.
    return container;
  }
}

function everyMember({ type, children = [], value }: Node): unknown {
  if (type === 'array') return children.map(everyMember);
  if (type !== 'object') return value;
  return children.map(({ children: [name, member] = [] }) => ({
    [String(name?.value)]: member === undefined ? null : everyMember(member),
  }));
}
