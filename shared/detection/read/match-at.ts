/**
 * What a global expression matches from `at` on, a sticky one at `at`. The place is an argument of every search, so that
 * none depends on where the expression was used before. Nothing else in the engine uses `lastIndex`.
 */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Whether it matches there. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
