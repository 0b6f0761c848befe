import { RE2JS } from 're2js';

/** Larger programs take too much memory and time on every text. */
const MAX_PROGRAM = 1_000;
const LOOK_AROUND = /\(\?(?:=|!|<=|<!)/;
const BACK_REFERENCE = /\\[1-9]|\\k</;

export type CheckedPattern =
  | {
      readonly ok: true;
      /** True if it matches the empty text, and therefore every text. */
      readonly matchesAll: boolean;
      /** Returns the first match; null if there is none. */
      find(text: string): { readonly start: number; readonly end: number } | null;
    }
  | { readonly ok: false; readonly message: string };

/** Compiles a pattern, or explains in one sentence why it is rejected. */
export function checkPattern(pattern: string): CheckedPattern {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    return { ok: false, message: refusal(pattern, error) };
  }
  if (compiled.programSize() > MAX_PROGRAM) {
    return { ok: false, message: 'This pattern is too large. Shorten its lists or lower its repeat counts.' };
  }
  return {
    ok: true,
    matchesAll: compiled.matcher('').find(),
    find(text) {
      const matcher = compiled.matcher(text);
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null;
    },
  };
}

function refusal(pattern: string, error: unknown): string {
  if (LOOK_AROUND.test(pattern)) {
    return 'RE2 has no look-ahead and no look-behind ("(?=", "(?!", "(?<="): match the words around it as well.';
  }
  if (BACK_REFERENCE.test(pattern)) return 'RE2 has no back-references ("\\1").';
  const { message } = error as Error;
  if (message.includes('invalid repeat count')) {
    return 'This pattern repeats too often: RE2 allows up to 1,000 repetitions, nested ones multiplied.';
  }
  return `RE2 cannot read this pattern: ${message.replace(/^error parsing regexp: /, '')}.`;
}
