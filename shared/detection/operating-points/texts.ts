import { type OperatingPoint, valuesOf } from './point.ts';

/** Shares of a text from which it counts as encoded, foreign or readable. */
const TEXT_POINTS = {
  numberCodes: [0.15, 'numbers that are codes, of the words', 'no record'],
  knownWords: [0.3, 'known words of a text that reads', 'no record'],
  apartLetters: [0.5, 'single letters, of the words', 'no record'],
  mixedWords: [0.15, 'words of letters and digits, of the words', 'no record'],
  plainWords: [0.15, 'function words and meanings from which a text is not encoded', 'no record'],
  bareWords: [0.7, 'words without a vowel', 'no record'],
  shiftGain: [
    1.2,
    'factor by which a shift makes a text more like English; others do by chance',
    'no record',
  ],
  harmlessMark: [0.25, 'how much a mark that normal writing contains counts as hidden', 'no record'],
  unusual: [0.45, 'fewer known words: unusual, foreign or encoded', 'no record'],
  listed: [0.4, 'units of a list, of the words', 'no record'],
  lineEnds: [0.6, 'line ends if each word has a line', 'no record'],
  splitWords: [0.25, 'positions where words are split', 'no record'],
  readableCode: [0.75, 'letters of a decoded text', 'no record'],
} as const satisfies Readonly<Record<string, OperatingPoint>>;

export const TEXT = valuesOf(TEXT_POINTS);
