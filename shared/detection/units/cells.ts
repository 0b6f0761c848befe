import type { Span } from '../../text/index.ts';
import { UNIT } from '../operating-points/units.ts';
import type { Line } from './lines.ts';

/** A quoted cell or a plain one, with the separator behind it. */
const CELLS: ReadonlyMap<string, RegExp> = new Map(
  [',', ';', '\t', '|'].map((separator) => [
    separator,
    new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}"\\n]*))(?:[${separator}]|\\r?\\n|$)`, 'y'),
  ]),
);
const LEAST_CELLS = 3;

/** Returns the cells of a table with separators, if most lines have as many as the first. */
export function readCells(text: string, lines: readonly Line[]): Span[] | undefined {
  if (lines.length < 2) return undefined;
  for (const [separator, cell] of CELLS) {
    const count = cellsOf(`${lines[0]!.text}\n`, cell).length;
    if (count < LEAST_CELLS || !lines[0]!.text.includes(separator)) continue;
    const alike = lines.filter((line) => cellsOf(line.text, cell).length === count).length;
    if (alike >= lines.length * UNIT.cells) return cellsOf(text, cell);
  }
  return undefined;
}

function cellsOf(text: string, cell: RegExp): Span[] {
  const cells: Span[] = [];
  cell.lastIndex = 0;
  for (let at = 0; at < text.length; at = cell.lastIndex) {
    const match = cell.exec(text);
    if (match === null) {
      // A stray quote: the rest of the line is one cell.
      const end = text.indexOf('\n', at);
      cells.push({ start: at, end: end === -1 ? text.length : end });
      cell.lastIndex = end === -1 ? text.length : end + 1;
      continue;
    }
    const start = at + (match[1] === undefined ? 0 : 1);
    cells.push({ start, end: start + (match[1] ?? match[2] ?? '').length });
    if (cell.lastIndex === at) break;
  }
  return cells;
}
