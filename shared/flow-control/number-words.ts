const UNITS: readonly string[] = [
  // English, German, French, Spanish, Italian, Portuguese; without accents.
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  'null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn',
  'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
  'cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve',
  'zero un due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
  'zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove',
];
const TENS: readonly string[] = [
  'twenty thirty forty fifty sixty seventy eighty ninety',
  'zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig',
  'vingt trente quarante cinquante soixante soixante-dix quatre-vingt quatre-vingt-dix',
  'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
  'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
];
const HUNDREDS: readonly string[] = [
  'cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  'cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
];
const HUNDRED = new Set('hundred hundert cent cents ciento cento'.split(' '));
const SCALES = new Map<string, number>([
  ...'thousand tausend mille mil mila'.split(' ').map((word) => [word, 1_000] as const),
  ...'million millions millionen millionen millones milioni milhao milhoes'
    .split(' ')
    .map((word) => [word, 1_000_000] as const),
  ['billion', 1_000_000_000],
]);
const valuesOf = (lists: readonly string[], valueAt: (index: number) => number) =>
  lists.flatMap((list) => list.split(' ').map((word, index) => [word, valueAt(index)] as const));
const VALUES = new Map<string, number>([
  ...valuesOf(UNITS, (index) => index),
  ...valuesOf(TENS, (index) => (index + 2) * 10),
  ...valuesOf(HUNDREDS, (index) => (index + 1) * 100),
]);
const ENGLISH = new Set(`${UNITS[0]} ${TENS[0]} hundred thousand million billion`.split(' '));
/** Smaller numbers occur in every text; short words of other languages are ambiguous and need a higher minimum. */
const MIN_VALUE = 10;
const MIN_FOREIGN = 100;

/** Matches numbers written apart, with a hyphen, with "and" between them, or as one word. */
function numbersOf(words: Iterable<string>): RegExp {
  const word = [...words].sort((a, b) => b.length - a.length).join('|');
  const between = '\\s{1,3}(?:(?:and|et|y|e)\\s{1,3})?|-|und|s\\s';
  return new RegExp(`(?<![a-z])(?:${word})(?:(?:${between})?(?:${word})){0,20}s?(?![a-z])`, 'g');
}
const ALL = [...VALUES.keys(), ...HUNDRED, ...SCALES.keys()];
const ENGLISH_NUMBER = numbersOf(ENGLISH);
const NUMBER = numbersOf(ALL);
/** Includes the connecting word: `und` contains a French one. */
const PARTS = new RegExp(`und|${ALL.sort((a, b) => b.length - a.length).join('|')}`, 'g');
/** Parts of foreign number words from 100 up: most texts contain none, and this test is fast. */
const LARGE =
  /hundert|tausend|\bcents?\b|cento|\bcien|[ih]entos\b|zentos\b|\b(?:mil|mille)\b|mila\b|\bmille/g;
const AROUND = 100;

const SCALED = /(\d[\d.,]{0,15}) ?(k|thousand|m|million|bn|billion)\b/gi;
const LETTERS = new Map([
  ['k', 1_000],
  ['m', 1_000_000],
  ['bn', 1_000_000_000],
]);

/** Returns amounts in words of six languages, and with a scale: `twelve hundred`, `zweitausend`, `1.5 million`. */
export function numberWords(text: string): number[] {
  const lower = plainLetters(text);
  const written = [
    lower.match(ENGLISH_NUMBER) ?? [],
    ...foreignParts(lower).map((part) => part.match(NUMBER) ?? []),
  ];
  const scaled = [...text.matchAll(SCALED)].map(([, digits = '', scale = '']) => {
    const factor = LETTERS.get(scale.toLowerCase()) ?? SCALES.get(scale.toLowerCase()) ?? 1;
    return Number(digits.replace(/,(?=\d{3}\b)/g, '').replace(',', '.')) * factor;
  });
  return [...written.flat().flatMap(numberOf), ...scaled.filter((value) => value >= MIN_VALUE)];
}

/** Returns the parts of a text around large numbers in languages other than English. */
function foreignParts(text: string): string[] {
  const parts: { start: number; end: number }[] = [];
  for (const { index } of text.matchAll(LARGE)) {
    const last = parts.at(-1);
    if (last !== undefined && index - AROUND <= last.end) last.end = index + AROUND;
    else parts.push({ start: Math.max(0, index - AROUND), end: index + AROUND });
  }
  return parts.map(({ start, end }) => text.slice(start, end));
}

/** Accented letters in the words above. */
const ACCENTS: Readonly<Record<string, string>> = { ß: 'ss', ü: 'u', ö: 'o', ê: 'e', é: 'e', è: 'e', ã: 'a' };
const plainLetters = (text: string): string =>
  text.toLowerCase().replace(/[ßüöêéèã]/g, (letter) => ACCENTS[letter] ?? letter);

function numberOf(written: string): number[] {
  const parts = written.match(PARTS) ?? [];
  let total = 0;
  let part = 0;
  for (const word of parts) {
    const scale = SCALES.get(word);
    if (scale !== undefined) {
      total += Math.max(1, part) * scale;
      part = 0;
    } else if (HUNDRED.has(word)) part = Math.max(1, part) * 100;
    else part += VALUES.get(word) ?? 0;
  }
  const least = parts.every((word) => ENGLISH.has(word)) ? MIN_VALUE : MIN_FOREIGN;
  return total + part >= least ? [total + part] : [];
}
