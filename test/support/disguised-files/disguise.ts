/** The words that a file contains in some disguise. They are in no other text of these files. */
export const WORDS = 'Quorbel vintage marmalade';

/** A file that an application opens, with the words somewhere in it. */
export interface Disguise {
  readonly name: string;
  /** Applications choose by it how they open the file. */
  readonly extension: string;
  readonly bytes: Buffer;
}

export const letters = [...WORDS];
export const code = (sign: string): number => sign.charCodeAt(0);
export const base64Lines = (content: string | Uint8Array): string =>
  Buffer.from(content)
    .toString('base64')
    .replace(/(.{76})/g, '$1\r\n');
/** UTF-7 as in RFC 2152, with every letter encoded. */
export const utf7 = (text: string): string =>
  `+${Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`;
/** EBCDIC, code page 37: letters, space and the signs of XML. */
export function ebcdic(text: string): Buffer {
  const codes = new Map<string, number>(
    Object.entries({
      ' ': 0x40,
      '<': 0x4c,
      '>': 0x6e,
      '/': 0x61,
      '?': 0x6f,
      '=': 0x7e,
      '"': 0x7f,
      ':': 0x7a,
      '.': 0x4b,
      '-': 0x60,
    }),
  );
  for (const [from, start] of [
    ['abcdefghi', 0x81],
    ['jklmnopqr', 0x91],
    ['stuvwxyz', 0xa2],
    ['ABCDEFGHI', 0xc1],
    ['JKLMNOPQR', 0xd1],
    ['STUVWXYZ', 0xe2],
    ['0123456789', 0xf0],
  ] as const)
    for (const [i, sign] of [...from].entries()) codes.set(sign, start + i);
  return Buffer.from([...text].map((sign) => codes.get(sign) ?? 0x6f));
}
export function utf32(text: string): Buffer {
  return Buffer.from([...text].flatMap((sign) => [code(sign) & 255, code(sign) >> 8, 0, 0]));
}
