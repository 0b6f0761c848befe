/** Bits per ASCII code, so that one array lookup answers what a character may be part of. */
export const DIGIT = 1;
export const LETTER = 2;
export const HEX = 4;
/** Allowed in the local part of an address besides letters and digits (RFC 5322 atext and the dot). */
export const LOCAL_EXTRA = 8;
/** Allowed between the digits of a phone, card or social security number. */
export const NUMBER_GAP = 16;
/** Allowed inside a key or token besides letters and digits. */
export const TOKEN_EXTRA = 32;

export const CHAR_CLASS = new Uint8Array(128);
for (let code = 48; code <= 57; code++) CHAR_CLASS[code] = DIGIT | HEX;
for (let code = 65; code <= 90; code++) CHAR_CLASS[code] = LETTER | (code <= 70 ? HEX : 0);
for (let code = 97; code <= 122; code++) CHAR_CLASS[code] = LETTER | (code <= 102 ? HEX : 0);
const mark = (table: Uint8Array, characters: string, bit: number) => {
  for (let i = 0; i < characters.length; i++) {
    const code = characters.charCodeAt(i);
    table[code] = table[code]! | bit;
  }
};
mark(CHAR_CLASS, ".!#$%&'*+/=?^_`{|}~-", LOCAL_EXTRA);
mark(CHAR_CLASS, ' .-()/', NUMBER_GAP);
mark(CHAR_CLASS, '_-+/=.~', TOKEN_EXTRA);

/** Returns the class bits at `index`; 0 outside the text and beyond ASCII. */
export function classAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 128 ? CHAR_CLASS[code]! : 0;
}

export function isAlnum(text: string, index: number): boolean {
  return (classAt(text, index) & (DIGIT | LETTER)) !== 0;
}

/** Signs among the letters beyond ASCII: in Latin-1, Greek, Hebrew, Arabic and Devanagari. */
const SIGNS = new Set([...'«¬®¯°±´¶·¸»¿×÷\u0387\u05be\u05c3،؛؟।॥'].map((sign) => sign.charCodeAt(0)));

/** True for letters of any script: beyond ASCII everything except spaces and punctuation. */
export function isWordish(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128) return (CHAR_CLASS[code]! & (DIGIT | LETTER)) !== 0 || code === 95;
  const isLetter =
    (code >= 0xaa && code < 0x2000) || (code >= 0x2c00 && code < 0x3000) || (code > 0x3030 && code < 0xd800);
  return isLetter && !SIGNS.has(code);
}
