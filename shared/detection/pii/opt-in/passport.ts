import type { PiiSpan } from '../spans.ts';
import { findMachineReadable, MAX_MACHINE_READABLE } from './machine-readable.ts';
import { type NamedValues, type OptInRow, valuesAfterWords } from './opt-in-row.ts';

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
    confidence: 0.9,
  }));
}

export const PASSPORT = {
  type: 'passport',
  placeholder: '[PASSPORT]',
  reason: 'Contains a passport number.',
  find: findPassports,
  lookAhead: { before: MAX_MACHINE_READABLE, after: Math.max(MAX_NAMED, MAX_MACHINE_READABLE) },
} as const satisfies OptInRow;
