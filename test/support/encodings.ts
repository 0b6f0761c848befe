import type { Random } from './random.ts';

/** How transports, pages, mails and shells write a text. */
export interface Encoding {
  readonly name: string;
  readonly encode: (text: string, random: Random) => string;
}

const bytesOf = (text: string): number[] => [...Buffer.from(text, 'utf8')];
const hexOf = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');
const percent = (text: string): string =>
  bytesOf(text)
    .map((byte) => `%${hexOf(byte)}`)
    .join('');

/** Every blank as one of these codes. */
const blanks =
  (...codes: readonly string[]): Encoding['encode'] =>
  (text, { pick }) =>
    text.replace(/ /g, () => pick(codes));

/** A quarter of the Latin letters in code. */
const letters =
  (code: (letter: string, random: Random) => string): Encoding['encode'] =>
  (text, random) =>
    text.replace(/[a-z]/gi, (letter) => (random.chance(0.25) ? code(letter, random) : letter));

/** A sign that shows nothing within longer words. */
const within =
  (sign: string): Encoding['encode'] =>
  (text) =>
    text.replace(/\p{L}{4,}/gu, (word) => word.slice(0, 2) + sign + word.slice(2));

const codeOf = (letter: string): number => letter.charCodeAt(0);

/** Quoted-printable with lines of 40 characters. */
function quotedLines(text: string): string {
  let out = '';
  let width = 0;
  for (const byte of bytesOf(text)) {
    const isPlain = (byte >= 32 && byte < 127 && byte !== 61) || byte === 10;
    const code = isPlain ? String.fromCharCode(byte) : `=${hexOf(byte)}`;
    if (byte !== 10 && width + code.length > 39) {
      out += '=\n';
      width = 0;
    }
    out += code;
    width = byte === 10 ? 0 : width + code.length;
  }
  return out;
}

export const ENCODINGS: readonly Encoding[] = Object.entries({
  'blanks as %20': (text) => text.replaceAll(' ', '%20').replaceAll('\n', '%0A'),
  'a form': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  'blanks as plus': blanks('+'),
  'part of an address': (text) => encodeURIComponent(text),
  'an address': (text) => encodeURI(text),
  'percent codes alone': percent,
  'percent codes twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent codes three times': blanks('%252520'),
  'percent codes, plus and blanks': blanks('%20', '+', ' '),
  'percent codes for letters': letters(percent),
  'percent codes of UTF-16': blanks('%u0020'),
  'entities by name': blanks('&nbsp;', '&ensp;', '&thinsp;'),
  'entities by name for letters': letters((letter, { pick }) => `&${letter}${pick(['opf', 'scr', 'fr'])};`),
  'entities by number': blanks('&#32;', '&#x20;', '&#0032;'),
  'entities twice': blanks('&amp;nbsp;', '&amp;#32;'),
  'entities for letters': letters((letter, { chance }) =>
    chance(0.5) ? `&#${codeOf(letter)};` : `&#x${codeOf(letter).toString(16)};`,
  ),
  'soft hyphens': within('\u00ad'),
  'soft hyphens by name': within('&shy;'),
  'quoted-printable blanks': (text) => text.replaceAll('=', '=3D').replaceAll(' ', '=20'),
  'quoted-printable lines': quotedLines,
  'quoted-printable letters': letters((letter) => `=${hexOf(codeOf(letter))}`),
  'JSON blanks': blanks('\\u0020'),
  'JSON blanks twice': blanks('\\\\u0020'),
  'JSON letters': letters((letter) => `\\u${codeOf(letter).toString(16).padStart(4, '0')}`),
  'JSON line ends': blanks('\\n'),
  'JSON tabs': blanks('\\t'),
  'shell blanks': blanks('\\ '),
  'shell bytes': blanks('\\x20', '\\040'),
  'shell fields': blanks('$IFS$9', '$' + '{IFS}'),
  'shell quotes': within("''"),
} satisfies Readonly<Record<string, Encoding['encode']>>).map(([name, encode]) => ({ name, encode }));
