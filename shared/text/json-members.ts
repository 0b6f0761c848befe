import { closingQuote } from './json-literals.ts';

/** A member of the outermost object of a JSON text: its name, and the range of name and value. */
export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the members of a valid JSON object, in order, so that some can be removed and the others stay as written. */
export function jsonMembers(json: string): JsonMember[] {
  const members: JsonMember[] = [];
  let depth = 0;
  let start = -1;
  let name: string | null = null;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]!;
    if (sign === '"') {
      const close = closingQuote(json, at);
      if (close === -1) return members;
      if (depth === 1 && name === null) {
        start = at;
        name = JSON.parse(json.slice(at, close + 1)) as string;
      }
      at = close;
      continue;
    }
    if (depth === 1 && name !== null && ENDS.includes(sign)) {
      members.push({ name, start, end: at });
      name = null;
    }
    depth += DEEPER[sign] ?? 0;
  }
  return members;
}

/** The characters that end a member. */
const ENDS = '}],';
const DEEPER: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };
