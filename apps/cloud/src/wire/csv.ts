/** Cells that a spreadsheet would take as a formula begin with one of these. */
const FORMULA = /^[=+\-@\t\r]/;

/** One line of CSV (RFC 4180). A cell that a spreadsheet would run is preceded by an apostrophe. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string | number | boolean | null): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = typeof cell === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
