import { looksLikeWords, segment } from './known-words.ts';

/** So much of a text is looked through for rows of signs. */
const MAX_ROW = 4_000;

/** Rows of binary, octal-free decimal or hex character codes. */
export function numberCodes(slice: string): string | undefined {
  const run =
    /(?:[01]{8}[\s,]+){5,}[01]{8}|(?:(?:0x)?[2-7][0-9a-f][\s,]+){7,}(?:0x)?[2-7][0-9a-f]\b|(?:(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])[\s,]+){7,}\d{2,3}\b/i.exec(
      slice.slice(0, MAX_ROW),
    );
  if (run === null) return undefined;
  const codes = run[0].split(/[\s,]+/);
  const base = codes.every((code) => /^[01]{8}$/.test(code))
    ? 2
    : codes.some((code) => /[a-fx]/i.test(code))
      ? 16
      : 10;
  const decode = (radix: number) =>
    codes.map((code) => String.fromCharCode(Number.parseInt(code.replace(/^0x/i, ''), radix))).join('');
  const decoded = decode(base);
  if (base !== 10 || looksLikeWords(decoded)) return decoded;
  return decode(16);
}

const MORSE: Readonly<Record<string, string>> = Object.fromEntries(
  'a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--..'
    .split(' ')
    .map((entry) => [entry.slice(1), entry[0] ?? '']),
);

/** Morse in dots and hyphens, twelve letters and more. */
export function fromMorse(slice: string): string | undefined {
  const run = /(?:[.-]{1,5}[ /|\n]+){11,}[.-]{1,5}/.exec(slice.slice(0, MAX_ROW));
  if (run === null) return undefined;
  const letters = run[0].split(/[ /|\n]/);
  let out = '';
  for (const letter of letters) out += letter === '' ? ' ' : (MORSE[letter] ?? '');
  return segment(out.replace(/\s+/g, ' '));
}
