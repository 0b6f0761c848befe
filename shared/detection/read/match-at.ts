/**
 * Returns the match of a global expression from `at` on, or of a sticky one at `at`. The position is an argument of
 * every search, so no search depends on an earlier use of the expression. Nothing else in the engine uses `lastIndex`.
 */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Like `matchAt`, but only returns whether there is a match. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
