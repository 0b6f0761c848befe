/**
 * Removes matching characters at both ends of a text. Linear, unlike `/[class]+$/`, which tries every run from each of
 * its positions.
 */
export function trimBy(text: string, pattern: RegExp): string {
  return trimEndBy(trimStartBy(text, pattern), pattern);
}

/** `pattern` matches one character, and has no flag `g`. */
export function trimStartBy(text: string, pattern: RegExp): string {
  let start = 0;
  while (start < text.length) {
    const character = String.fromCodePoint(text.codePointAt(start)!);
    if (!pattern.test(character)) break;
    start += character.length;
  }
  return text.slice(start);
}

/** `pattern` matches one character, and has no flag `g`. */
export function trimEndBy(text: string, pattern: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const isPair = end > 1 && text.codePointAt(end - 2)! > 0xffff;
    const start = isPair ? end - 2 : end - 1;
    if (!pattern.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}
