import { type ParseError, parse as parseTolerantly } from 'jsonc-parser';
import { BodyError } from './body-error.ts';
import { closingQuote } from './json-literals.ts';
import { parseJson } from './parse-json.ts';
import type { Steps } from './steps.ts';

/** The maximum nesting of arrays and objects. Every recursion over a parsed body relies on this limit. */
export const MAX_JSON_DEPTH = 100;

/** Limits for a whole body, whatever its length in bytes; checked before it is parsed. */
export interface JsonBounds {
  /** Members of objects. One with a unique name costs a parser about 0.7 µs, and reading it the same again. */
  readonly members: number;
  /** Commas outside of strings, which also limits the items of arrays. */
  readonly items: number;
}

export const JSON_BOUNDS: JsonBounds = { members: 250_000, items: 1_000_000 };

export interface StrictJson {
  readonly value: unknown;
  /** The bytes as text, for writing redactions back into it. */
  readonly source: string;
}

/** Characters that are counted between two pauses. */
const COUNTED = 65_536;
/** Locating a syntax error takes a second, slower pass, which is skipped beyond this many characters. */
const MAX_LOCATED = 65_536;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a body in the only way that all providers agree on, and rejects what two parsers could read differently:
 * invalid UTF-8, a byte order mark, repeated member names (in any spelling), lone surrogates, nesting over 100 — and
 * bodies with more members than any conversation has. Throws BodyError. Linear, without recursion before the depth is
 * known.
 */
export function parseStrictJson(bytes: Uint8Array, bounds = JSON_BOUNDS): StrictJson {
  const source = decodeUtf8(bytes);
  return { value: parseStrictJsonText(source, bounds), source };
}

/** Decodes bytes to text; throws BodyError `not_utf8`. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BodyError('not_utf8', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  }
}

/** Does the same for text that is already decoded. */
export function parseStrictJsonText(source: string, bounds = JSON_BOUNDS): unknown {
  const members = countMembers(source, bounds);
  const value = parsed(source);
  if (membersOf(value) !== members) throw repeatedName();
  rejectHalfPairs(source, value);
  return value;
}

/** Does the same in steps. Parsing is one of them: a long text takes a few milliseconds per megabyte. */
export function* parseStrictJsonInSteps(source: string, bounds = JSON_BOUNDS): Steps<unknown> {
  const counting = { at: 0, depth: 0, members: 0, items: 0 };
  while (counting.at < source.length) {
    countUntil(source, bounds, counting, counting.at + COUNTED);
    yield;
  }
  const value = parsed(source);
  yield;
  if ((yield* membersInSteps(value)) !== counting.members) throw repeatedName();
  rejectHalfPairs(source, value);
  return value;
}

function parsed(source: string): unknown {
  try {
    return parseJson(source);
  } catch {
    throw notJson(source);
  }
}

function repeatedName(): BodyError {
  return new BodyError(
    'duplicate_key',
    'The body names a member of an object more than once. Each name may occur once in an object.',
  );
}

function rejectHalfPairs(source: string, value: unknown): void {
  if (!source.includes('\\u') || !LONE_SURROGATE_HINT.test(source) || isWellFormed(value)) return;
  throw new BodyError(
    'lone_surrogate',
    'The body holds half of a surrogate pair (\\ud800 to \\udfff), which is not a character.',
  );
}

const LONE_SURROGATE_HINT = /\\u[dD][89a-fA-F]/;

/**
 * Counts the colons outside of strings, which in valid JSON is the number of members as written. A parsed object with
 * fewer members lost a duplicate. In text that is not JSON the number is meaningless, and JSON.parse rejects it next.
 */
export function countMembers(source: string, bounds: JsonBounds): number {
  const counting = { at: 0, depth: 0, members: 0, items: 0 };
  countUntil(source, bounds, counting, source.length);
  return counting.members;
}

interface Counting {
  /** Where counting goes on. */
  at: number;
  depth: number;
  members: number;
  items: number;
}

/** Counts on at least up to `until`, and beyond it to the end of a string. */
function countUntil(source: string, bounds: JsonBounds, counting: Counting, until: number): void {
  let { at, depth, members, items } = counting;
  const end = Math.min(until, source.length);
  for (; at < end; at++) {
    switch (source.charCodeAt(at)) {
      case 34: {
        const close = closingQuote(source, at);
        at = close === -1 ? source.length : close;
        break;
      }
      case 44:
        if (++items > bounds.items) throw tooMany(bounds.items, 'items');
        break;
      case 58:
        if (++members > bounds.members) throw tooMany(bounds.members, 'members');
        break;
      case 91:
      case 123:
        if (++depth > MAX_JSON_DEPTH) {
          throw new BodyError(
            'too_deep',
            `The body nests arrays and objects deeper than ${MAX_JSON_DEPTH} levels (near character ${at + 1}).`,
          );
        }
        break;
      case 93:
      case 125:
        depth--;
        break;
    }
  }
  Object.assign(counting, { at, depth, members, items });
}

function tooMany(bound: number, unit: string): BodyError {
  return new BodyError('too_many_texts', `The body holds more than ${bound} ${unit}.`);
}

/** Counts the members of all objects in a parsed value. Recursive: `countMembers` checks the depth first. */
export function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'object') count += membersOf(item);
    }
    return count;
  }
  for (const name in value) {
    count++;
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object') count += membersOf(member);
  }
  return count;
}

/** Does the same in steps. */
function* membersInSteps(value: unknown): Steps<number> {
  const pending: object[] = [];
  const add = (member: unknown): void => {
    if (typeof member === 'object' && member !== null) pending.push(member);
  };
  add(value);
  let count = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    members.forEach(add);
    yield;
  }
  return count;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}

function notJson(source: string): BodyError {
  if (source.trim() === '') return new BodyError('not_json', 'The body is empty. Send a JSON object.');
  if (source.charCodeAt(0) === 0xfeff) {
    return new BodyError(
      'not_json',
      'The body starts with a byte order mark, which JSON does not allow. Leave it out.',
    );
  }
  return new BodyError('not_json', `The body is not valid JSON${errorPosition(source)}.`);
}

function errorPosition(source: string): string {
  if (source.length > MAX_LOCATED) return '';
  const problems: ParseError[] = [];
  parseTolerantly(source, problems, { disallowComments: true, allowTrailingComma: false });
  const offset = problems[0]?.offset;
  if (offset === undefined) return '';
  const before = source.slice(0, offset).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}
