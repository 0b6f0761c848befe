/** Returns the end of the line that contains `at`, without its line terminator. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Returns the start of the first line from `at` on that matches; undefined if there is none. */
export function findLine(
  text: string,
  at: number,
  fits: (line: string, at: number) => boolean,
): number | undefined {
  for (let from = at; from < text.length; ) {
    const end = lineEnd(text, from);
    if (fits(text.slice(from, end), from)) return from;
    from = end + 1;
  }
  return undefined;
}
