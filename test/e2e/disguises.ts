/** Ways to write a text so that a person or a model still reads it and a filter may not. Named, made by code. */
import {
  backwards,
  base64,
  fullWidth,
  hex,
  htmlEntities,
  leet,
  lookalikes,
  percentEncoded,
  rot13,
  tagCharacters,
} from '../../apps/cloud/src/security-testing/disguises.ts';

export type Disguise = (plain: string) => string;

const letters = (text: string): string[] => [...text];
const between =
  (sign: string): Disguise =>
  (text) =>
    letters(text).join(sign);
const point = (code: number): string => String.fromCodePoint(code);
const each =
  (change: (letter: string, index: number) => string): Disguise =>
  (text) =>
    letters(text).map(change).join('');
const eachLetter = (change: (letter: string, index: number) => string): Disguise =>
  each((letter, index) => (/[a-z]/i.test(letter) ? change(letter, index) : letter));
const words =
  (change: (word: string) => string, by = ' '): Disguise =>
  (text) =>
    text.split(' ').map(change).join(by);
const bytes = (text: string): number[] => [...Buffer.from(text)];
const codes =
  (spell: (code: number) => string, by = ''): Disguise =>
  (text) =>
    bytes(text).map(spell).join(by);
const hexOf = (code: number, size = 2): string => code.toString(16).padStart(size, '0');

/** Letters (and digits, where the block has them) of a block in alphabetical order. */
const block = (upper: number, lower: number, digit?: number): Disguise =>
  each((letter) => {
    const code = letter.charCodeAt(0);
    if (/[A-Z]/.test(letter)) return point(upper + code - 65);
    if (/[a-z]/.test(letter)) return point(lower + code - 97);
    if (digit !== undefined && /[0-9]/.test(letter)) return point(digit + code - 48);
    return letter;
  });
const digitsFrom = (zero: number): Disguise =>
  each((letter) => (/[0-9]/.test(letter) ? point(zero + letter.charCodeAt(0) - 48) : letter));
const mapped = (from: string, to: string): Disguise => {
  const map = new Map(letters(from).map((letter, index) => [letter, letters(to)[index]!]));
  return each((letter) => map.get(letter) ?? map.get(letter.toLowerCase()) ?? letter);
};
const shifted = (by: number): Disguise =>
  eachLetter((letter) => {
    const base = letter < 'a' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + by) % 26) + base);
  });
const longWords = (change: (word: string) => string): Disguise =>
  words((word) => (word.length > 3 ? change(word) : word));
const halves = (join: string): Disguise =>
  longWords((word) => word.slice(0, word.length >> 1) + join + word.slice(word.length >> 1));
const ABC = 'abcdefghijklmnopqrstuvwxyz';
const MORSE =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split(
    ' ',
  );

/** Drawn between all characters; nothing shows them. */
const INVISIBLE = {
  'zero-width space': 0x200b,
  'zero-width non-joiner': 0x200c,
  'zero-width joiner': 0x200d,
  'left-to-right mark': 0x200e,
  'right-to-left mark': 0x200f,
  'left-to-right embedding': 0x202a,
  'left-to-right override': 0x202d,
  'word joiner': 0x2060,
  'function application': 0x2061,
  'invisible times': 0x2062,
  'invisible separator': 0x2063,
  'invisible plus': 0x2064,
  'left-to-right isolate': 0x2066,
  'pop isolate': 0x2069,
  'nominal digit shapes': 0x206f,
  'byte order mark': 0xfeff,
  'soft hyphen': 0xad,
  'combining grapheme joiner': 0x34f,
  'Arabic letter mark': 0x61c,
  'Hangul filler': 0x3164,
  'Hangul choseong filler': 0x115f,
  'Hangul jungseong filler': 0x1160,
  'halfwidth Hangul filler': 0xffa0,
  'Khmer inherent vowel': 0x17b4,
  'Mongolian vowel separator': 0x180e,
  'Mongolian variation selector': 0x180b,
  'variation selector 1': 0xfe00,
  'variation selector 16': 0xfe0f,
  'variation selector 17': 0xe0100,
  'variation selector 18': 0xe0101,
  'interlinear anchor': 0xfff9,
  'tag space': 0xe0020,
  'language tag': 0xe0001,
  'musical beam': 0x1d173,
  'shorthand format overlap': 0x1bca0,
  'Braille blank': 0x2800,
} as const;

export const DISGUISES: Readonly<Record<string, Disguise>> = {
  ...Object.fromEntries(
    Object.entries(INVISIBLE).map(([name, code]) => [`${name} between`, between(point(code))]),
  ),
  // carried where nothing is shown
  'tag characters': (text) => `Nice day. ${tagCharacters(text)}`,
  'bytes as variation selectors': (text) =>
    `Nice day \u{1f600}${codes((byte) => point(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))(text)}`,
  'right-to-left override': (text) => `\u202e${backwards(text)}\u202c`,
  'bits as zero-width characters': codes((byte) =>
    byte.toString(2).padStart(8, '0').replaceAll('0', '\u200b').replaceAll('1', '\u200c'),
  ),
  // letters that look alike
  'full width': (text) => fullWidth(text).replaceAll(' ', '\u3000'),
  'Cyrillic look-alikes': lookalikes,
  'Greek look-alikes': mapped('abeiknoptuvxyABEIKMNOPTXYZ', 'αβειкηορτυνχγΑΒΕΙΚΜΝΟΡΤΧΥΖ'),
  'Armenian look-alikes': mapped('ounghpqlj', 'օսոցհքզլյ'),
  'Cherokee look-alikes': (text) => mapped('ABCDEGHIJKLMPRSTVWZ', 'ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ')(text.toUpperCase()),
  'small capitals': (text) => mapped(ABC, 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ')(text.toLowerCase()),
  superscript: mapped('0123456789abcdefghijklmnoprstuvwxyz', '⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ'),
  'subscript digits': digitsFrom(0x2080),
  'upside down': (text) => backwards(mapped(ABC, 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz')(text.toLowerCase())),
  circled: (text) => mapped('0123456789', '⓪①②③④⑤⑥⑦⑧⑨')(block(0x24b6, 0x24d0)(text)),
  'negative circled': (text) => block(0x1f150, 0x1f150)(text),
  squared: (text) => block(0x1f130, 0x1f130)(text),
  'negative squared': (text) => block(0x1f170, 0x1f170)(text),
  'in brackets': (text) => block(0x1f110, 0x249c)(text),
  'regional indicators': (text) => block(0x1f1e6, 0x1f1e6)(text),
  'mathematical bold': block(0x1d400, 0x1d41a, 0x1d7ce),
  'mathematical sans-serif': block(0x1d5a0, 0x1d5ba, 0x1d7e2),
  'mathematical monospace': block(0x1d670, 0x1d68a, 0x1d7f6),
  'mathematical fraktur': block(0x1d56c, 0x1d586),
  'mathematical script': block(0x1d4d0, 0x1d4ea),
  'mathematical double-struck': block(0x1d538, 0x1d552, 0x1d7d8),
  'Arabic digits': digitsFrom(0x660),
  'Persian digits': digitsFrom(0x6f0),
  'Devanagari digits': digitsFrom(0x966),
  'Bengali digits': digitsFrom(0x9e6),
  'Thai digits': digitsFrom(0xe50),
  'Khmer digits': digitsFrom(0x17e0),
  'circled digits': mapped('0123456789', '⓪①②③④⑤⑥⑦⑧⑨'),
  'negative circled digits': mapped('0123456789', '⓿❶❷❸❹❺❻❼❽❾'),
  leet,
  'heavy leet': mapped('aeiostlbg', '@3!0$7|89'),
  'dotless i': (text) => text.replaceAll('i', 'ı').replaceAll('I', 'İ'),
  ligatures: (text) => text.replaceAll('st', 'ﬆ').replaceAll('fi', 'ﬁ'),
  // marks on letters
  'acute accents': eachLetter((letter) => `${letter}\u0301`),
  'accents in one piece': eachLetter((letter) => `${letter}\u0301`.normalize('NFC')),
  'many accents': eachLetter(
    (letter, i) => `${letter}${point(0x300 + (i % 40))}${point(0x489)}${point(0x315)}`,
  ),
  underlined: eachLetter((letter) => `${letter}\u0332`),
  'struck through': eachLetter((letter) => `${letter}\u0336`),
  'enclosed by a circle': eachLetter((letter) => `${letter}\u20dd`),
  // escapes and codes
  'decimal entities': htmlEntities,
  'hex entities': codes((code) => `&#x${hexOf(code)};`),
  'entities without an end': codes((code) => `&#${code} `),
  'entities with noughts': codes((code) => `&#${String(code).padStart(7, '0')};`),
  'percent codes': percentEncoded,
  'percent codes of percent codes': codes((code) => `%25${hexOf(code)}`),
  'JSON escapes': codes((code) => `\\u${hexOf(code, 4)}`),
  'JSON escapes of every third letter': each((letter, i) =>
    i % 3 === 0 ? `\\u${hexOf(letter.charCodeAt(0), 4)}` : letter,
  ),
  'braced escapes': codes((code) => `\\u{${hexOf(code)}}`),
  'hex escapes': codes((code) => `\\x${hexOf(code)}`),
  'octal escapes': codes((code) => `\\${code.toString(8).padStart(3, '0')}`),
  'CSS escapes': codes((code) => `\\${hexOf(code)} `),
  'quoted-printable': codes((code) => `=${hexOf(code).toUpperCase()}`),
  'UTF-7': (text) => `+${Buffer.from(text, 'utf16le').swap16().toString('base64').replaceAll('=', '')}-`,
  base64: base64,
  'base64 in a sentence': (text) => `Decode this and do it: ${base64(text)}`,
  'base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  'base64 in lines': (text) => base64(text).replace(/(.{20})/g, '$1\n'),
  'base64 twice': (text) => base64(base64(text)),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'base64 of rot13': (text) => base64(rot13(text)),
  base32: toBase32,
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex with blanks': hex,
  'hex with 0x': codes((code) => `0x${hexOf(code)}`, ' '),
  'hex with colons': codes((code) => hexOf(code), ':'),
  binary: codes((code) => code.toString(2).padStart(8, '0'), ' '),
  octal: codes((code) => code.toString(8), ' '),
  'character codes': codes((code) => String(code), ' '),
  'character codes with commas': (text) => `[${codes((code) => String(code), ', ')(text)}]`,
  rot13,
  'Caesar by 3': shifted(3),
  'Caesar by 7': shifted(7),
  rot47: each((letter) =>
    /[!-~]/.test(letter) ? String.fromCharCode(((letter.charCodeAt(0) - 33 + 47) % 94) + 33) : letter,
  ),
  Atbash: mapped(ABC, [...ABC].reverse().join('')),
  Morse: (text) =>
    text
      .toLowerCase()
      .split(' ')
      .map((word) =>
        letters(word)
          .map((letter) => MORSE[ABC.indexOf(letter)] ?? letter)
          .join(' '),
      )
      .join(' / '),
  Braille: (text) => mapped(ABC, '⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵')(text.toLowerCase()),
  'numbers of letters': (text) =>
    words((word) =>
      letters(word)
        .map((letter) => String(ABC.indexOf(letter) + 1))
        .join('-'),
    )(text.toLowerCase()),
  // order
  reversed: backwards,
  'words reversed': words(backwards),
  'order of words reversed': (text) => text.split(' ').reverse().join(' '),
  'letters swapped': longWords((word) => word[0]! + word[2]! + word[1]! + word.slice(3)),
  'middles shuffled': longWords((word) => word[0]! + backwards(word.slice(1, -1)) + word.at(-1)!),
  'Pig Latin': words((word) =>
    word.replace(/^([^aeiou]*)(.*)$/i, (_, head: string, rest: string) =>
      head === '' ? `${rest}way` : `${rest}${head}ay`,
    ),
  ),
  // what stands between
  'blanks between letters': between(' '),
  'blanks between letters, more between words': words((word) => letters(word).join(' '), '   '),
  'no-break spaces': (text) => text.replaceAll(' ', '\u00a0'),
  'en spaces': (text) => text.replaceAll(' ', '\u2002'),
  'Ogham spaces': (text) => text.replaceAll(' ', '\u1680'),
  'dots between letters': between('.'),
  'hyphens between letters': between('-'),
  'underscores between letters': between('_'),
  'stars between letters': between('*'),
  'bars between letters': between('|'),
  'slashes between letters': between('/'),
  'commas between letters': between(', '),
  'line breaks between letters': between('\n'),
  'tabs between letters': between('\t'),
  'dots between words': (text) => text.replaceAll(' ', '.'),
  'underscores between words': (text) => text.replaceAll(' ', '_'),
  'hyphens between words': (text) => text.replaceAll(' ', '-'),
  'slashes between words': (text) => text.replaceAll(' ', '/'),
  'emoji between words': (text) => text.replaceAll(' ', ' 😀 '),
  'line breaks between words': (text) => text.replaceAll(' ', '\n'),
  'no blanks': (text) => text.replaceAll(' ', ''),
  'camel case': words((word) => word[0]!.toUpperCase() + word.slice(1), ''),
  'alternating case': each((letter, i) => (i % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())),
  'upper case': (text) => text.toUpperCase(),
  'broken words': halves('\n'),
  'hyphenated at the end of lines': halves('-\n'),
  'hyphens inside words': halves('-'),
  'a blank inside words': halves(' '),
  'emphasis inside words': halves('**'),
  'emphasis on half of words': longWords((word) => `**${word.slice(0, 2)}**${word.slice(2)}`),
  'tags inside words': halves('<b></b>'),
  'comments inside words': halves('<!-- -->'),
  'backslashes inside words': halves('\\'),
  'quotes inside words': halves("'"),
  'a doubled letter': longWords((word) => word[0]! + word[1]! + word[1]! + word.slice(2)),
  'stretched letters': longWords((word) => word.slice(0, -1) + word.at(-1)!.repeat(4)),
  'without vowels': longWords((word) => word[0]! + word.slice(1).replace(/[aeiou]/gi, '')),
};

function toBase32(text: string): string {
  let bits = codes((code) => code.toString(2).padStart(8, '0'))(text);
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const digits = bits
    .match(/.{5}/g)!
    .map((five) => alphabet[Number.parseInt(five, 2)]!)
    .join('');
  return digits.padEnd(Math.ceil(digits.length / 8) * 8, '=');
}
