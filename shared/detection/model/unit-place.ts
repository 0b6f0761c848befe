import type { TokenizedText } from '../read/tokenized-text.ts';

/** What precedes a unit. */
const NOTHING = 0;
const EMPTY_LINE = 1;
const LINE_END = 2;
const SENTENCE = 7;
/** A line that continues the unfinished line before it. */
export const WRAPPED = 8;

/** Signs before a unit: 3 a quote, 4 a tag, 5 a cell's border, 6 a mark. */
const PLACES = new Uint8Array(128);
for (const [place, signs] of [
  [3, '"\''],
  [4, '>'],
  [5, '|\t,;'],
  [6, '#*-/:]'],
] as const)
  for (const sign of signs) PLACES[sign.charCodeAt(0)] = place;

const MAX_BLANKS = 12;

export function placeOf(text: string, reading: TokenizedText, unit: number): number {
  let i = reading.unitStart[unit]! - 1;
  let lines = 0;
  for (const least = Math.max(0, i - MAX_BLANKS); i >= least; i--) {
    const code = text.charCodeAt(i);
    if (code === 10) lines++;
    else if (code !== 32 && code !== 13) break;
  }
  if (i < 0) return NOTHING;
  if (lines > 1) return EMPTY_LINE;
  const code = text.charCodeAt(i);
  const place = code < 128 ? PLACES[code]! : 0;
  if (place !== 0) return place;
  if (lines === 0) return SENTENCE;
  const first = text.charCodeAt(reading.unitStart[unit]!);
  const endsSentence = code === 46 || code === 63 || code === 33;
  return first >= 97 && first <= 122 && !endsSentence ? WRAPPED : LINE_END;
}
