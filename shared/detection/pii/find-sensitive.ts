import { withoutOverlaps } from '../../text/index.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import { findDisguised, findInToken } from './disguised.ts';
import { findPii } from './find-pii.ts';
import type { PiiSpan } from './spans.ts';

/** Personal data and secrets of all six types, in disguise too, in order and apart. Offsets are UTF-16 indexes. */
export function findSensitive(text: string): PiiSpan[] {
  const secrets = findSecrets(text, (whole, start, end) => findInToken(whole, start, end, findPlain));
  return withoutOverlaps([...secrets, ...findPii(text), ...findDisguised(text, findPlain)]);
}

function findPlain(text: string): PiiSpan[] {
  return [...findSecrets(text), ...findPii(text)];
}
