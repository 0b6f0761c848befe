import { type Node, parseTree } from 'jsonc-parser';
import { BodyError } from './body-error.ts';
import { parseContainer } from './parse-json.ts';
import { countMembers, JSON_BOUNDS, membersOf } from './strict-json.ts';

/**
 * Whether JSON names a member of an object twice, so that two parsers can read it differently; `value`: as it was
 * parsed. True also for JSON that is nested too deep or has too many members to be sure. Linear.
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
 * The object or array that a text is as JSON; null: it is another text. Where names may be repeated, every object is a
 * list of objects of one member each, so that no value is lost.
 */
export function parseAllMembers(text: string): object | null {
  const container = parseContainer(text);
  if (container === null || !mayRepeatNames(text, container)) return container;
  try {
    return everyMember(parseTree(text)!) as object;
  } catch {
    // Nested deeper than it can be walked.
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
