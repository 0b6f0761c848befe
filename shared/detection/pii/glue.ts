import { isWordish } from './char-class.ts';

/** True for the letter of `\n`, `\r` and `\t`, as JSON and code write the end of a line: no word begins with it. */
export function isLineEscape(text: string, index: number): boolean {
  if (text.charCodeAt(index - 1) !== 92) return false;
  const code = text.charCodeAt(index);
  return code === 110 || code === 114 || code === 116;
}

/** So many marks may stand between two values that were written side by side. */
const MAX_MARKS = 3;

/** True where nothing but marks stands between a value that was found and `at`. */
export function isBehindValue(text: string, at: number, floor: number): boolean {
  if (floor === 0 || at - floor > MAX_MARKS) return false;
  for (let i = floor; i < at; i++) if (text[i] !== '_' && isWordish(text, i)) return false;
  return true;
}
