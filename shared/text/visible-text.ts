/** Control characters, those that show nothing, and those that change the direction of others. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** Writes what a reader would not see as its number, `\u{202e}`: names and arguments come from models and strangers. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}
