import { withoutOverlaps } from '../../text/index.ts';
import type { PiiSpan } from '../pii/spans.ts';
import type { Text } from '../read/codes.ts';
import { createFinder } from '../read/find-literals.ts';
import { BOT_COLON, botTokenAt } from './bot-token.ts';
import { COMMAND, commandPasswordAt } from './command-password.ts';
import { PASSWORD_BEGINNINGS, passwordAt, SHORT_PASSWORD_BEGINNINGS } from './password.ts';
import { BEGIN, privateKeyAt } from './private-key.ts';
import { nextLongToken, tokenSecretAt } from './token-secret.ts';
import { urlSecretAt } from './url-password.ts';

/** Decodes a long token that has no known form. */
export type LookInside = (text: string, start: number, end: number) => PiiSpan | undefined;

/** Recognizers that start at a literal. Of two values at the same position the one of the first row wins. */
const AT_LITERALS = [
  ['://', urlSecretAt],
  [BEGIN, privateKeyAt],
  [BOT_COLON, botTokenAt],
  [COMMAND, commandPasswordAt],
] as const;

const findNamed = createFinder([
  ...AT_LITERALS.map(([literal]) => literal.toLowerCase()),
  ...PASSWORD_BEGINNINGS,
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
    const { span, next, isCode } = tokenSecretAt(walk, at);
    const coded = isCode ? inside?.(text, at, next) : undefined;
    if (span !== undefined) spans.push(span);
    else if (coded !== undefined) decoded.push(coded);
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
    const row = AT_LITERALS.findIndex(([literal]) => string.startsWith(literal, at));
    if (row >= 0) add(row, AT_LITERALS[row]![1](string, at));
    else add(AT_LITERALS.length, passwordAt(string, at));
  }
  for (const short of SHORT_PASSWORD_BEGINNINGS) {
    for (let at = string.indexOf(short); at >= 0; at = string.indexOf(short, at + 1))
      add(AT_LITERALS.length, passwordAt(string, at));
  }
  for (const found of byRow) for (const span of found) spans.push(span);
}
