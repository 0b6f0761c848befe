import { point } from './point.ts';

/** Shares of a text from which it counts as encoded, foreign or readable. */
export const TEXT = {
  numberCodes: point(0.15, 'numbers that are codes, of the words', 'no record'),
  knownWords: point(0.3, 'known words of a text that reads', 'no record'),
  apartLetters: point(0.5, 'single letters, of the words', 'no record'),
  mixedWords: point(0.15, 'words of letters and digits, of the words', 'no record'),
  plainWords: point(0.15, 'function words and meanings from which a text is not encoded', 'no record'),
  bareWords: point(0.7, 'words without a vowel', 'no record'),
  shiftGain: point(
    1.2,
    'factor by which a shift makes a text more like English; others do by chance',
    'no record',
  ),
  harmlessMark: point(0.25, 'how much a mark that normal writing contains counts as hidden', 'no record'),
  unusual: point(0.45, 'fewer known words: unusual, foreign or encoded', 'no record'),
  listed: point(0.4, 'units of a list, of the words', 'no record'),
  lineEnds: point(0.6, 'line ends if each word has a line', 'no record'),
  splitWords: point(0.25, 'positions where words are split', 'no record'),
  readableCode: point(0.75, 'letters of a decoded text', 'no record'),
} as const;
