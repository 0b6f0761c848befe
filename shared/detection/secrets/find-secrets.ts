import { withoutOverlaps } from '../../text/index.ts';
import type { PiiSpan } from '../pii/spans.ts';
import type { Text } from '../read/codes.ts';
import { createFinder } from '../read/find-literals.ts';
import { AT_LITERALS, NAMED_PASSWORD, TOKEN } from './api-key.ts';
import {
  PAIR_LITERALS,
  secretsBesideCapitals,
  secretsBesideKey,
  secretsBesideLiteral,
} from './find-pairs.ts';
import { PASSWORD_BEGINNINGS, SHORT_PASSWORD_BEGINNINGS } from './password.ts';
import { isKnownKey } from './secret-span.ts';
import { capitalsIn, nextLongToken } from './token-secret.ts';

/** Decodes a long token that has no known form. */
export type LookInside = (text: string, start: number, end: number) => PiiSpan | undefined;

const findNamed = createFinder([
  ...AT_LITERALS.map(({ literal }) => literal.toLowerCase()),
  ...PASSWORD_BEGINNINGS,
  ...PAIR_LITERALS,
]);

/** Finds keys and credentials in `text`: by their form, by what they are assigned to, and whole private keys. */
export function findSecrets(read: Text, inside?: LookInside): PiiSpan[] {
  const { string: text, codes } = read;
  const spans: PiiSpan[] = [];
  /** Values in decoded tokens. They come last: of two at the same position the first wins. */
  const decoded: PiiSpan[] = [];
  const walk = { text, codes };
  const { length } = text;
  for (let at = nextLongToken(codes, 0, length); at < length; ) {
    const { span, next, isCode } = TOKEN.find(walk, at);
    const coded = span === undefined && isCode ? inside?.(text, at, next) : undefined;
    if (span !== undefined) spans.push(span, ...secretsBesideKey(text, span));
    else if (coded !== undefined) decoded.push(coded);
    const capitals = span === undefined || !isKnownKey(span) ? capitalsIn(codes, at, next) : -1;
    if (capitals >= 0) spans.push(...secretsBesideCapitals(text, capitals));
    at = nextLongToken(codes, next, length);
  }
  addNamed(read, spans);
  return withoutOverlaps(decoded.length === 0 ? spans : [...spans, ...decoded]);
}

/** Adds the values after a literal or a word for a password. */
function addNamed({ string, codes }: Text, spans: PiiSpan[]): void {
  const { length } = string;
  const first = findNamed(codes, 0, length);
  // Nearly all texts have neither.
  if (first === length && !SHORT_PASSWORD_BEGINNINGS.some((short) => string.includes(short))) return;
  const byRow: PiiSpan[][] = [...AT_LITERALS.map(() => []), []];
  const add = (row: number, span: PiiSpan | undefined): void => {
    if (span !== undefined) byRow[row]!.push(span);
  };
  for (let at = first; at < length; at = findNamed(codes, at + 1, length)) {
    const row = AT_LITERALS.findIndex(({ literal }) => string.startsWith(literal, at));
    if (row >= 0) add(row, AT_LITERALS[row]!.find(string, at));
    else add(AT_LITERALS.length, NAMED_PASSWORD.find(string, at));
    for (const span of secretsBesideLiteral(string, at)) add(AT_LITERALS.length, span);
  }
  for (const short of SHORT_PASSWORD_BEGINNINGS) {
    for (let at = string.indexOf(short); at >= 0; at = string.indexOf(short, at + 1))
      add(AT_LITERALS.length, NAMED_PASSWORD.find(string, at));
  }
  for (const found of byRow) for (const span of found) spans.push(span);
}
