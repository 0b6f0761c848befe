const BACKSLASH = 92;

/**
 * Returns the index of the quote that closes the JSON string with the opening quote at `open`; -1 if there is none.
 * Searches from quote to quote, so a long string costs one indexOf. Linear: every backslash is read once, because
 * reading back stops at the previous quote.
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

/** Yields string literals (also names), numbers, true, false and null, with their offsets. */
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

/** True unless the code is whitespace or one of , : [ ] { } */
function isScalar(code: number): boolean {
  return (
    code > 32 && code !== 44 && code !== 58 && code !== 91 && code !== 93 && code !== 123 && code !== 125
  );
}
