import { withoutOverlaps } from '../../text/index.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import { BACKWARDS, backwards, behindEscapes, findInToken } from './disguised.ts';
import { findPii } from './find-pii.ts';
import type { PiiSpan } from './spans.ts';
import { SPELT_HINT } from './spelt-email.ts';

/** One search for what tells of spelt-out addresses and of texts written from their end: nearly all have neither. */
const HINT = new RegExp(`${SPELT_HINT.source}|${BACKWARDS.source}`);

/** Personal data and secrets of all six types, in disguise too, in order and apart. Offsets are UTF-16 indexes. */
export function findSensitive(text: string): PiiSpan[] {
  const hinted = HINT.test(text);
  const secrets = findSecrets(text, (whole, start, end) => findInToken(whole, start, end, findPlain));
  const disguised = [...behindEscapes(text, findPlain), ...(hinted ? backwards(text, findPlain) : [])];
  return withoutOverlaps([...secrets, ...findPii(text, hinted), ...disguised]);
}

function findPlain(text: string): PiiSpan[] {
  return [...findSecrets(text), ...findPii(text, SPELT_HINT.test(text))];
}
