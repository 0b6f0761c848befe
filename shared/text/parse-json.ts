import { closingQuote } from './json-literals.ts';

/**
 * Works like JSON.parse, but handles member names with escapes itself. V8 (at least 13.6 to 14) can confuse them with a
 * name that it saw at the same position before: after `{"k\\":1}` the name of `{"k\n":1}` is parsed as `k\`. So each
 * such name is parsed separately, and a placeholder without escapes replaces it in the JSON. Linear; throws SyntaxError
 * like JSON.parse.
 */
export function parseJson(source: string): unknown {
  if (!source.includes('\\')) return JSON.parse(source);
  const names = escapedNames(source);
  if (names.length === 0) return JSON.parse(source);
  const marker = unusedMarker(source);
  const decoded = new Map<string, string>();
  const pieces: string[] = [];
  let from = 0;
  for (const [index, { start, end }] of names.entries()) {
    const placeholder = `${marker}${index}`;
    // A separate string is parsed correctly: the bug only affects names of members.
    decoded.set(placeholder, JSON.parse(source.slice(start, end)) as string);
    pieces.push(source.slice(from, start), `"${placeholder}"`);
    from = end;
  }
  pieces.push(source.slice(from));
  return withNames(JSON.parse(pieces.join('')), decoded);
}

const BEGINS_CONTAINER = /^\s*[[{]/;

/** Parses a text that is a JSON object or array; null for any other text. */
export function parseContainer(text: string): object | null {
  if (!BEGINS_CONTAINER.test(text)) return null;
  try {
    return parseJson(text) as object;
  } catch {
    return null;
  }
}

interface NameLiteral {
  readonly start: number;
  readonly end: number;
}

/** Returns strings with a backslash that are followed by a colon: in valid JSON, names of members. */
function escapedNames(source: string): NameLiteral[] {
  const found: NameLiteral[] = [];
  let open = source.indexOf('"');
  let slash = source.indexOf('\\');
  while (open !== -1) {
    const close = closingQuote(source, open);
    if (close === -1) break;
    const next = behindBlanks(source, close + 1);
    if (source.charCodeAt(next) === COLON) {
      // Searched again only after it was passed: linear.
      if (slash < open) slash = source.indexOf('\\', open);
      if (slash === -1) break;
      if (slash < close) found.push({ start: open, end: close + 1 });
    }
    open = source.indexOf('"', next);
  }
  return found;
}

const COLON = 58;
const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function behindBlanks(source: string, from: number): number {
  let at = from;
  while (isBlank(source.charCodeAt(at))) at++;
  return at;
}

const PRIVATE = '\ue000';

/**
 * Returns a marker that is longer than any run of its character in the text, so that no name in the text begins with
 * it.
 */
function unusedMarker(source: string): string {
  let longest = 0;
  for (let at = source.indexOf(PRIVATE); at !== -1; at = source.indexOf(PRIVATE, at)) {
    const start = at;
    while (source.charCodeAt(at) === 0xe000) at++;
    longest = Math.max(longest, at - start);
  }
  return PRIVATE.repeat(longest + 1);
}

/** Restores the original names in a value. The recursion is bounded by the depth that JSON.parse accepted. */
function withNames(value: unknown, decoded: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withNames(item, decoded));
  // Object.fromEntries creates own members, also for `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [decoded.get(name) ?? name, withNames(member, decoded)]),
  );
}
