import { withoutOverlaps } from '../../text/index.ts';
import type { PiiSpan } from '../pii/spans.ts';
import type { Text } from '../read/codes.ts';
import { BEGIN, privateKeyAt } from './private-key.ts';
import { nextLongToken, tokenSecretAt } from './token-secret.ts';
import { urlSecretAt } from './url-password.ts';

/** Decodes a long token that has no known form. */
export type LookInside = (text: string, start: number, end: number) => PiiSpan | undefined;

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
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const span = urlSecretAt(text, at);
    if (span !== undefined) spans.push(span);
  }
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at + BEGIN.length)) {
    const span = privateKeyAt(text, at);
    if (span !== undefined) spans.push(span);
  }
  return withoutOverlaps(decoded.length === 0 ? spans : [...spans, ...decoded]);
}
