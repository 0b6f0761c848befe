import { mayBegin, mayEnd } from './opt-in-row.ts';

/** The second line of a passport's machine-readable zone, and the first one before it (ICAO Doc 9303, part 4). */
const SECOND = /[A-Z\d<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z\d<]{14}[\d<]\d/g;
const FIRST = /P[A-Z<][A-Z<]{42}\s{1,4}$/;
const LINE = 44;
export const MAX_MACHINE_READABLE = 2 * LINE + 4;

/** Returns the ranges of such lines with valid check digits. */
export function findMachineReadable(text: string): [number, number][] {
  const found: [number, number][] = [];
  for (const { 0: line, index } of text.matchAll(SECOND)) {
    if (!mayBegin(text, index) || !mayEnd(text, index + LINE) || !hasCheckDigits(line)) continue;
    const before = text.slice(Math.max(0, index - LINE - 4), index);
    found.push([index - (FIRST.exec(before)?.[0].length ?? 0), index + LINE]);
  }
  return found;
}

function hasCheckDigits(line: string): boolean {
  const composite = line.slice(0, 10) + line.slice(13, 20) + line.slice(21, 43);
  return (
    checkDigit(line.slice(0, 9)) === Number(line[9]) &&
    checkDigit(line.slice(13, 19)) === Number(line[19]) &&
    checkDigit(line.slice(21, 27)) === Number(line[27]) &&
    checkDigit(composite) === Number(line[43])
  );
}

/** Weights 7, 3 and 1; a filler counts 0, letters from 10 on. */
function checkDigit(field: string): number {
  let sum = 0;
  for (let i = 0; i < field.length; i++)
    sum += (field[i] === '<' ? 0 : Number.parseInt(field[i]!, 36)) * [7, 3, 1][i % 3]!;
  return sum % 10;
}
