import { VALUE } from '../../operating-points/values.ts';
import type { PiiSpan } from '../spans.ts';
import {
  isAadhaar,
  isBsn,
  isCodiceFiscale,
  isCpf,
  isDni,
  isNir,
  isPersonnummer,
  isPesel,
  isResidentId,
  isSteuerId,
} from './check-digits.ts';
import { mayBegin, mayEnd, type OptInRow } from './opt-in-row.ts';

interface NationalId {
  readonly country: string;
  /** Global. Lookarounds are not needed: matches within a word or number are skipped. */
  readonly form: RegExp;
  /** Receives the match without separators. */
  readonly check: (plain: string) => boolean;
  /** Words that name it; required unless `standsAlone` matches. */
  readonly words: RegExp;
  /** Matches forms that cannot be another number, as written. */
  readonly standsAlone?: RegExp;
}

const IDS: readonly NationalId[] = [
  {
    country: 'de',
    form: /\d{2} ?\d{3} ?\d{3} ?\d{3}/g,
    check: isSteuerId,
    words: /steuer|\bid-?nr|identifikationsnummer|\btin\b|tax id/i,
  },
  {
    country: 'fr',
    form: /[12][ .]?\d{2}[ .]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .]?(?:\d{2}|2[AB])[ .]?\d{3}[ .]?\d{3}[ .]?\d{2}/gi,
    check: isNir,
    words: /\bnir\b|s[ée]cu|insee|assur[ée]/i,
    standsAlone: /(?:[ .]\w+){5}/,
  },
  {
    country: 'es',
    form: /(?:\d{8}|[XYZ]-?\d{7})[- ]?[A-Z]/gi,
    check: isDni,
    words: /\bdni\b|\bnie\b|\bnif\b|documento|identidad/i,
  },
  {
    country: 'it',
    form: /[A-Z]{6}[\dL-V]{2}[A-EHLMPRST][\dL-V]{2}[A-Z][\dL-V]{3}[A-Z]/gi,
    check: (code) => /(?:\d.*){3}/.test(code) && isCodiceFiscale(code),
    words: /codice fiscale/i,
    standsAlone: /^/,
  },
  {
    country: 'nl',
    form: /\d{9}|\d{4}\.\d{2}\.\d{3}/g,
    check: isBsn,
    words: /\bbsn\b|burgerservice|sofi-?n/i,
  },
  { country: 'pl', form: /\d{11}/g, check: isPesel, words: /pesel/i },
  {
    country: 'br',
    form: /\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11}/g,
    check: isCpf,
    words: /\bcpf\b/i,
    standsAlone: /-/,
  },
  {
    country: 'in',
    form: /[2-9]\d{3}([ -]?)\d{4}\1\d{4}/g,
    check: isAadhaar,
    words: /aadha?ar|आधार|uidai/i,
  },
  {
    country: 'cn',
    form: /[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]/gi,
    check: isResidentId,
    words: /身份证/,
    standsAlone: /^/,
  },
  {
    country: 'gb',
    form: /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]([ -]?)\d{2}\1\d{2}\1\d{2}\1[A-D]/g,
    // prefixes that are not assigned (HMRC, NIM39110); the number has no check digit
    check: (number) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(number),
    words: /national insurance|\bni\b|nino\b/i,
    standsAlone: /[ -]\d{2}[ -]/,
  },
  {
    country: 'se',
    form: /(?:19|20)?\d{6}[-+]\d{4}|(?:19|20)?\d{10}/g,
    check: isPersonnummer,
    words: /personn|\bpnr\b|persnr/i,
    standsAlone: /[-+]/,
  },
];

/** The maximum distance of the words before it, and after it. */
const BEFORE = 48;
const AFTER = 24;
const MAX_ID = 24;

function findNationalIds(text: string): PiiSpan[] {
  return IDS.flatMap((id) => {
    const spans: PiiSpan[] = [];
    for (const { 0: value, index: start } of text.matchAll(id.form)) {
      const end = start + value.length;
      if (!mayBegin(text, start) || /[-./#$€£@]/.test(text[start - 1] ?? '') || !mayEnd(text, end)) continue;
      if (/^[-/]\d/.test(text.slice(end, end + 2))) continue;
      if (!id.check(value.replace(/[^A-Za-z\d]/g, '')) || !isNamed(text, start, end, id, value)) continue;
      const rule = `pii.national-id-${id.country}`;
      spans.push({ start, end, type: 'national_id', rule, confidence: VALUE.nationalId });
    }
    return spans;
  });
}

function isNamed(
  text: string,
  start: number,
  end: number,
  { words, standsAlone }: NationalId,
  value: string,
): boolean {
  if (standsAlone?.test(value) === true) return true;
  return (
    words.test(text.slice(Math.max(0, start - BEFORE), start)) || words.test(text.slice(end, end + AFTER))
  );
}

export const NATIONAL_ID = {
  type: 'national_id',
  placeholder: '[NATIONAL_ID]',
  reason: 'Contains a national identity, tax or social insurance number.',
  find: findNationalIds,
  reach: { before: BEFORE + MAX_ID, after: MAX_ID + AFTER, ends: 'at a distance' },
} as const satisfies OptInRow;
