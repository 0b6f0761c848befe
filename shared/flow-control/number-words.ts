const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const VALUES = new Map<string, number>([
  ...SMALL.split(' ').map((word, value) => [word, value] as const),
  ...TENS.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
]);
const SCALES = new Map([
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
]);
/** Smaller ones are in every text. */
const MIN_VALUE = 10;
const NUMBER_WORDS = new RegExp(
  `\\b(?:${[...VALUES.keys(), ...SCALES.keys(), 'hundred'].join('|')})(?:(?:\\s{1,3}(?:and\\s{1,3})?|-)(?:${[
    ...VALUES.keys(),
    ...SCALES.keys(),
    'hundred',
  ].join('|')}))*\\b`,
  'gi',
);
const SCALED = /(\d[\d.,]{0,15}) ?(k|thousand|m|million|bn|billion)\b/gi;
const LETTERS = new Map([
  ['k', 1_000],
  ['m', 1_000_000],
  ['bn', 1_000_000_000],
]);

/** Amounts in English words, and those with a scale: `twelve hundred`, `1.5 million`, `20k`. */
export function numberWords(text: string): number[] {
  const written = (text.match(NUMBER_WORDS) ?? []).map(numberOf);
  const scaled = [...text.matchAll(SCALED)].map(([, digits = '', scale = '']) => {
    const factor = LETTERS.get(scale.toLowerCase()) ?? SCALES.get(scale.toLowerCase()) ?? 1;
    return Number(digits.replace(/,(?=\d{3}\b)/g, '').replace(',', '.')) * factor;
  });
  return [...written, ...scaled].filter((value) => value >= MIN_VALUE);
}

function numberOf(words: string): number {
  let total = 0;
  let part = 0;
  for (const word of words.toLowerCase().split(/[\s-]+/)) {
    const scale = SCALES.get(word);
    if (scale !== undefined) {
      total += Math.max(1, part) * scale;
      part = 0;
    } else if (word === 'hundred') part = Math.max(1, part) * 100;
    else part += VALUES.get(word) ?? 0;
  }
  return total + part;
}
