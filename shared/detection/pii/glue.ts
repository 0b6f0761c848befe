import { isWordish } from './char-class.ts';

/** True for the letter of `\n`, `\r` and `\t`, the escapes of JSON and code: no word begins with it. */
export function isLineEscape(text: string, index: number): boolean {
  if (text.charCodeAt(index - 1) !== 92) return false;
  const code = text.charCodeAt(index);
  return code === 110 || code === 114 || code === 116;
}

/** The most marks between two adjacent values. */
const MAX_MARKS = 3;

/** True if only marks are between the last value and `at`. */
export function isAfterValue(text: string, at: number, floor: number): boolean {
  if (floor === 0 || at - floor > MAX_MARKS) return false;
  for (let i = floor; i < at; i++) if (text[i] !== '_' && isWordish(text, i)) return false;
  return true;
}
