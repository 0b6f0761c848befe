import { VALUE } from '../operating-points/values.ts';
import { isAlnum } from '../pii/char-class.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { matchAt } from '../read/match-at.ts';
import { secretSpan } from './secret-span.ts';

/** Part of every token of a Telegram bot. */
export const BOT_COLON = ':AA';
const SECRET = /:AA[\w-]{33}(?![\w-])/y;
const MAX_ID = 10;
const MIN_ID = 8;

/** Returns the token of a Telegram bot around the colon: the number of the bot before it, 35 characters after it. */
export function botTokenAt(text: string, colon: number): PiiSpan | undefined {
  let start = colon;
  while (start > 0 && colon - start <= MAX_ID && /\d/.test(text[start - 1]!)) start--;
  const size = colon - start;
  if (size < MIN_ID || size > MAX_ID) return undefined;
  // `/bot110201543:AA…` in an address
  if (isAlnum(text, start - 1) && !text.startsWith('bot', start - 3)) return undefined;
  const match = matchAt(SECRET, text, colon);
  return match === null
    ? undefined
    : secretSpan(start, colon + match[0].length, 'telegram-bot', VALUE.botToken);
}
