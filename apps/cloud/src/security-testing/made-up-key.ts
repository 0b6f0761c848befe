const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/**
 * Returns a key in a provider's format that was never issued, deterministic for its arguments. Generated, so that no
 * key-like text in the source is found by scanners.
 */
export function madeUpKey(prefix: string, length: number, alphabet = LETTERS): string {
  let state = length;
  for (const letter of prefix) state = (state * 31 + letter.charCodeAt(0)) % 65_521;
  let key = prefix;
  for (let i = 0; i < length; i++) {
    state = (state * 4_561 + 5_279) % 65_521;
    key += alphabet[state % alphabet.length];
  }
  return key;
}

export const UPPER_CASE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const HEX_DIGITS = '0123456789abcdef';
