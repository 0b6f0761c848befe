const FENCE = /^ {0,3}(?:```|~~~)/gm;
const MAX_LOOK_BACK = 20_000;

/** True if the position is in a fenced code block or between backticks: shown, not run. */
export function isFenced(text: string, at: number): boolean {
  const from = Math.max(0, at - MAX_LOOK_BACK);
  const before = text.slice(from, at);
  const fences = before.match(FENCE)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.split('`').length % 2 === 0;
}
