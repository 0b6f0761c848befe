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

/** Where `mark` stands next from an index on, Infinity where it does no more. Asked with ascending ones it reads `text` once. */
export function createNext(text: string, mark: string): (from: number) => number {
  let next = -1;
  return (from) => {
    if (next < from) next = text.indexOf(mark, from);
    if (next < 0) next = Number.POSITIVE_INFINITY;
    return next;
  };
}
