/** Where the line that `at` stands in ends, without the character that ends it. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Where the first line from `at` on begins that fits; undefined where none does. */
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
