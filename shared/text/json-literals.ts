const BACKSLASH = 92;

/**
 * Index of the quote that closes the JSON string whose opening quote is at `open`; -1 where none does.
 * Leaps from quote to quote, so long strings cost what indexOf costs. Linear: every backslash is looked at
 * once, because looking back stops at the quote before.
 */
export function closingQuote(source: string, open: number): number {
  let at = source.indexOf('"', open + 1);
  while (at !== -1) {
    let slashes = at - 1;
    while (source.charCodeAt(slashes) === BACKSLASH) slashes--;
    if (((at - slashes) & 1) === 1) return at;
    at = source.indexOf('"', at + 1);
  }
  return -1;
}

/** String literals (names, too), numbers, true, false and null, with their places. */
export function* jsonScalars(json: string): Generator<{ start: number; end: number }> {
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 34) {
      const close = closingQuote(json, at);
      if (close === -1) return;
      yield { start: at, end: close + 1 };
      at = close;
    } else if (isScalar(code)) {
      const start = at;
      while (at + 1 < json.length && isScalar(json.charCodeAt(at + 1))) at++;
      yield { start, end: at + 1 };
    }
  }
}

/** Not white space and none of , : [ ] { } */
function isScalar(code: number): boolean {
  return (
    code > 32 && code !== 44 && code !== 58 && code !== 91 && code !== 93 && code !== 123 && code !== 125
  );
}
