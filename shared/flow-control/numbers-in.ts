import { amountOf } from './argument-values.ts';
import { numberWords } from './number-words.ts';

/** Groups of four may continue on the next line. */
const NUMBER = /\d(?:(?:[ .()/'-]{1,2}|[.,]|(?<=\d{4})\n)?\d){0,39}/g;

const DIGIT_WORDS = 'zero one two three four five six seven eight nine'.split(' ');
const DIGIT_WORD = `(?:${DIGIT_WORDS.join('|')}|oh)`;
const SPELLED = new RegExp(`\\b${DIGIT_WORD}(?:[ ,-]{1,2}${DIGIT_WORD}){5,39}\\b`, 'gi');

/** Returns numbers that are spelled out digit by digit. */
const spelledDigits = (text: string): readonly string[] =>
  (text.match(SPELLED) ?? []).map((words) =>
    words
      .toLowerCase()
      .split(/[ ,-]+/)
      .map((word) => Math.max(0, DIGIT_WORDS.indexOf(word)))
      .join(''),
  );

const GAP = /[ \n]/;

/** Returns the numbers of a text as written, with their separators. */
export const numbersIn = (text: string): readonly string[] => [
  ...(text.match(NUMBER) ?? []),
  ...spelledDigits(text),
];

/** Returns the amounts of a text, in digits and in words; of digits separated by spaces also each group. */
export function amountsIn(text: string): ReadonlySet<string> {
  const amounts = new Set(numberWords(text).map(String));
  const written = new Set(numbersIn(text));
  for (const number of written) if (GAP.test(number)) for (const part of number.split(GAP)) written.add(part);
  for (const number of written) {
    const amount = amountOf(number);
    if (amount !== null) amounts.add(amount);
  }
  return amounts;
}
