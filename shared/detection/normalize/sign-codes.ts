import type { Workspace } from '../workspace.ts';
import { looksLikeWords, segment } from './known-words.ts';

/** The part of a text that is searched for rows of codes. */
const MAX_ROW = 4_000;

/** Decodes rows of binary, hex, decimal or octal character codes, or of positions in the alphabet. */
export function numberCodes(slice: string, workspace: Workspace): string | undefined {
  const run =
    /(?:[01]{8}[\s,]+){5,}[01]{8}|(?:(?:0x)?[2-7][0-9a-f][\s,:;-]+){7,}(?:0x)?[2-7][0-9a-f]\b|(?:(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])[\s,:;-]+){7,}\d{2,3}\b|(?:0?[4-7][0-7]|1[0-7]{2})(?:[\s,]+(?:0?[4-7][0-7]|1[0-7]{2})){7,}\b/i.exec(
      slice.slice(0, MAX_ROW),
    );
  if (run === null) return letterNumbers(slice, workspace);
  const codes = run[0].split(/[\s,:;-]+/);
  const base = codes.every((code) => /^[01]{8}$/.test(code))
    ? 2
    : codes.some((code) => /[a-fx]/i.test(code))
      ? 16
      : 10;
  const decode = (radix: number) =>
    codes.map((code) => String.fromCharCode(Number.parseInt(code.replace(/^0x/i, ''), radix))).join('');
  const decoded = decode(base);
  if (looksLikeWords(decoded, workspace)) return decoded;
  // Fingerprints, times and ranges look the same.
  if (/[:;-]/.test(run[0])) return undefined;
  if (base !== 10) return decoded;
  const octal = decode(8);
  return looksLikeWords(octal, workspace) ? octal : decode(16);
}

/** Decodes positions in the alphabet, `9-7-14-15-18-5 1-12-12`. */
function letterNumbers(slice: string, workspace: Workspace): string | undefined {
  const run = /(?:(?:1\d|2[0-6]|[1-9])[-.,]? ?){11,}(?:1\d|2[0-6]|[1-9])\b/.exec(slice.slice(0, MAX_ROW));
  if (run === null) return undefined;
  const words = run[0].split(/-/.test(run[0]) ? /\s+/ : / {2,}|$/);
  const text = words
    .map((word) =>
      word.replace(/\d+/g, (place) => String.fromCharCode(96 + Number(place))).replace(/[^a-z]/g, ''),
    )
    .join(' ');
  const spelled = words.length > 2 ? text : segment(text.replaceAll(' ', ''));
  return looksLikeWords(spelled, workspace) ? spelled : undefined;
}

const MORSE: Readonly<Record<string, string>> = Object.fromEntries(
  'a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--..'
    .split(' ')
    .map((entry) => [entry.slice(1), entry[0] ?? '']),
);

/** Decodes Morse in dots and hyphens, of twelve letters or more. */
export function fromMorse(slice: string): string | undefined {
  const run = /(?:[.-]{1,5}[ /|\n]+){11,}[.-]{1,5}/.exec(slice.slice(0, MAX_ROW));
  if (run === null) return undefined;
  const letters = run[0].split(/[ /|\n]/);
  let out = '';
  for (const letter of letters) out += letter === '' ? ' ' : (MORSE[letter] ?? '');
  return segment(out.replace(/\s+/g, ' '));
}
