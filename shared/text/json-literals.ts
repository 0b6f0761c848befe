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
