import { VALUE } from '../../operating-points/values.ts';
import { isAlnum } from '../char-class.ts';
import type { PiiSpan } from '../spans.ts';
import { mayBegin, mayEnd, type OptInRow } from './opt-in-row.ts';

/**
 * Length by country (ISO 13616, the register maintained by SWIFT), also of unregistered countries that use the format.
 */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 ' +
    'AO25 BF28 BJ28 CI28 CM27 CV25 DZ26 IR26 MA28 MG27 ML28 MZ25 SN28'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);
/** The most characters, with a gap after every second one. */
const MAX_IBAN = 50;
const BEGINNING = /[A-Z]{2}\d{2}/gi;
const GAP = /[ \u00a0\u202f-]/;

function findIbans(text: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  for (const { 0: head, index } of text.matchAll(BEGINNING)) {
    if (!mayBegin(text, index)) continue;
    // a part of an identifier or of a path
    if (/\w-$/.test(text.slice(Math.max(0, index - 2), index))) continue;
    if (text[index - 1] === '/' && head !== head.toUpperCase()) continue;
    const end = ibanEnd(text, index, LENGTHS.get(head.slice(0, 2).toUpperCase()));
    if (end === undefined || !mayEnd(text, end)) continue;
    spans.push({ start: index, end, type: 'iban', rule: 'pii.iban', confidence: VALUE.iban });
  }
  return spans;
}

/** Returns the end of `length` characters that pass the check. */
function ibanEnd(text: string, start: number, length: number | undefined): number | undefined {
  if (length === undefined) return undefined;
  let plain = '';
  let end = start;
  while (plain.length < length && end - start < MAX_IBAN) {
    if (isAlnum(text, end)) plain += text[end];
    else if (!GAP.test(text[end] ?? '') || !isAlnum(text, end + 1)) return undefined;
    end++;
  }
  return plain.length === length && hasIbanCheckDigits(plain) ? end : undefined;
}

/**
 * Checks an IBAN: with the country and check digits moved to the end and letters as numbers, the remainder by 97 is 1
 * (ISO 7064).
 */
export function hasIbanCheckDigits(iban: string): boolean {
  let remainder = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

export const IBAN = {
  type: 'iban',
  placeholder: '[IBAN]',
  reason: 'Contains an international bank account number.',
  find: findIbans,
  reach: { before: MAX_IBAN, after: MAX_IBAN + 2, ends: 'at a distance' },
} as const satisfies OptInRow;
