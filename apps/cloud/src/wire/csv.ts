/** A spreadsheet treats cells that begin with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns one line of CSV (RFC 4180). A cell that a spreadsheet would execute gets an apostrophe as its prefix. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string | number | boolean | null): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = typeof cell === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
