import { withoutOverlaps } from '../../text/index.ts';
import type { CleanText } from '../normalize/clean.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import { apart, BACKWARDS, backwards, behindEscapes, findInToken, mirrored } from './disguised.ts';
import { findPii } from './find-pii.ts';
import type { PiiSpan } from './spans.ts';
import { SPELT_HINT } from './spelt-email.ts';

/** One search for what tells of spelt-out addresses and of texts written from their end: nearly all have neither. */
const HINT = new RegExp(`${SPELT_HINT.source}|${BACKWARDS.source}`);

/** Personal data and secrets of all six types, in disguise too, in order and apart. Offsets are those of the cleaned text. */
export function findSensitive({ text, turned }: Pick<CleanText, 'text' | 'turned'>): PiiSpan[] {
  const hinted = HINT.test(text);
  const spans = findSecrets(text, findPlainInToken);
  // nearly all of these are empty, and many texts are a word or two
  const add = (more: readonly PiiSpan[]): void => {
    for (const span of more) spans.push(span);
  };
  add(findPii(text, hinted));
  add(behindEscapes(text, findPlain));
  if (hinted) add(backwards(text, findPlain));
  for (const [start, end] of turned) add(mirrored(text, start, end, findPlain));
  add(apart(text, findPlain));
  return withoutOverlaps(spans);
}

function findPlainInToken(text: string, start: number, end: number): PiiSpan | undefined {
  return findInToken(text, start, end, findPlain);
}

/** What is carried by invisible characters, at its place in the original. */
export function findSmuggled({ smuggled, smuggledAt, smuggledEnd }: CleanText): PiiSpan | undefined {
  const found = smuggled === '' ? undefined : findPlain(smuggled)[0];
  return found === undefined ? undefined : { ...found, start: smuggledAt, end: smuggledEnd };
}

/** The same, of what nobody disguises. */
export function findPlain(text: string): PiiSpan[] {
  return [...findSecrets(text), ...findPii(text, SPELT_HINT.test(text))];
}
