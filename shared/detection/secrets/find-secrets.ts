import { withoutOverlaps } from '../../text/index.ts';
import type { PiiSpan } from '../pii/spans.ts';
import type { Text } from '../read/codes.ts';
import { BOT_COLON, botTokenAt } from './bot-token.ts';
import { COMMAND, commandPasswordAt } from './command-password.ts';
import { PASSWORD_WORD, passwordAt } from './password.ts';
import { BEGIN, privateKeyAt } from './private-key.ts';
import { nextLongToken, tokenSecretAt } from './token-secret.ts';
import { urlSecretAt } from './url-password.ts';

/** Decodes a long token that has no known form. */
export type LookInside = (text: string, start: number, end: number) => PiiSpan | undefined;

/** What is read where one and the same piece of text stands. */
const AT_LITERALS = [
  ['://', urlSecretAt],
  [BEGIN, privateKeyAt],
  [BOT_COLON, botTokenAt],
  [COMMAND, commandPasswordAt],
] as const;

/** Keys and credentials in `text`: by their form, by what they are assigned to, and whole private keys. */
export function findSecrets({ string: text, codes }: Text, inside?: LookInside): PiiSpan[] {
  const spans: PiiSpan[] = [];
  /** Found inside tokens. They come last: of two at the same place the first is meant. */
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
  addNamed(text, spans);
  return withoutOverlaps(decoded.length === 0 ? spans : [...spans, ...decoded]);
}

/** What a literal or a word leads to. */
function addNamed(text: string, spans: PiiSpan[]): void {
  const add = (span: PiiSpan | undefined): void => {
    if (span !== undefined) spans.push(span);
  };
  for (const [literal, secretAt] of AT_LITERALS) {
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length))
      add(secretAt(text, at));
  }
  for (const { 0: word, index } of text.matchAll(PASSWORD_WORD)) add(passwordAt(text, index + word.length));
}
