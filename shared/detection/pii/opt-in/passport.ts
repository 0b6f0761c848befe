import { VALUE } from '../../operating-points/values.ts';
import type { PiiSpan } from '../spans.ts';
import { mayBegin, mayEnd, type NamedValues, type OptInRow, valuesAfterWords } from './opt-in-row.ts';

/** The second line of a passport's machine-readable zone, and the first one before it (ICAO Doc 9303, part 4). */
const SECOND = /[A-Z\d<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z\d<]{14}[\d<]\d/g;
const FIRST = /P[A-Z<][A-Z<]{42}\s{1,4}$/;
const LINE = 44;
const MAX_MACHINE_READABLE = 2 * LINE + 4;

/** Returns the ranges of such lines with valid check digits. */
function findMachineReadable(text: string): [number, number][] {
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

const NAMED: NamedValues = {
  words:
    /(?<![A-Za-z])(?:passport|reisepass|pass(?=[- ]?nr)|passeport|pasaporte?|passaporto|passaporte|paspoort|paszport)|паспорт|护照|護照|パスポート|旅券|여권|جواز السفر/gi,
  between:
    /(?:u|а|ом)?(?:[\s_(-]{0,2}(?:(?:numbers?|nummer|num|nr|no|details|book|id)(?![A-Za-z])|n[°º.]|#|番号|号码|號碼|번호|رقم)\.?){0,2}[\s:：=#"'«“「>()[.°º-]{0,6}(?:is|es|é|è|ist|est)?\s?(?:[A-Z]{3}, )?["'「]?/giy,
  value: /(?:[A-Z]{1,3}\d{6,8}|[A-Z\d]{9}|\d{8,9}|\d{2} ?\d{2} ?\d{6})(?![A-Za-z\d])/y,
  accepts: (value) => /(?:\d.*){3}/.test(value),
};
const MAX_NAMED = 96;

function findPassports(text: string): PiiSpan[] {
  return [...valuesAfterWords(text, NAMED), ...findMachineReadable(text)].map(([start, end]) => ({
    start,
    end,
    type: 'passport',
    rule: 'pii.passport',
    confidence: VALUE.passport,
  }));
}

export const PASSPORT = {
  type: 'passport',
  placeholder: '[PASSPORT]',
  reason: 'Contains a passport number.',
  find: findPassports,
  reach: {
    before: MAX_MACHINE_READABLE,
    after: Math.max(MAX_NAMED, MAX_MACHINE_READABLE),
    ends: 'at a distance',
  },
} as const satisfies OptInRow;
