import { closingQuote } from './json-literals.ts';

/** A member of the outermost object of a JSON text: its name, and where name and value stand. */
export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The members of a valid JSON object, in order, so that some of them can be left out and the others stay as written. */
export function jsonMembers(json: string): JsonMember[] {
  const members: JsonMember[] = [];
  let depth = 0;
  let start = -1;
  let name: string | null = null;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '"') {
      const close = closingQuote(json, at);
      if (close === -1) return members;
      if (depth === 1 && name === null) {
        start = at;
        name = JSON.parse(json.slice(at, close + 1)) as string;
      }
      at = close;
    } else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']' || sign === ',') {
      if (depth === 1 && name !== null) {
        members.push({ name, start, end: at });
        name = null;
      }
      if (sign !== ',') depth--;
    }
  }
  return members;
}
