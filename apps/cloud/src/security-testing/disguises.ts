/** Encodings of a text that a model still understands and a filter may miss. Pure; for probes only. */

export function base64(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

export function hex(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** Shifts letters by 13 places. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

export function backwards(text: string): string {
  return [...text].reverse().join('');
}

export function spacedOut(text: string): string {
  return [...text].join(' ');
}

const DIGIT_LETTERS: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

export function leet(text: string): string {
  return text.replace(/[aeiost]/gi, (letter) => DIGIT_LETTERS[letter.toLowerCase()] ?? letter);
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
};

/** Replaces Latin letters with Cyrillic lookalikes. */
export function lookalikes(text: string): string {
  return text.replace(/[aceiopsxy]/g, (letter) => LOOKALIKES[letter] ?? letter);
}

/** Inserts a zero-width space between letters. */
export function zeroWidth(text: string): string {
  return [...text].join('\u200b');
}

/** Converts ASCII to full-width forms. */
export function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
}

/** Converts ASCII to Unicode tag characters, which are invisible. */
export function tagCharacters(text: string): string {
  return [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
}

export function htmlEntities(text: string): string {
  return [...text].map((letter) => `&#${letter.codePointAt(0)};`).join('');
}

export function percentEncoded(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
