import { VALUE } from '../../operating-points/values.ts';
import { within } from '../../reach.ts';
import type { PiiSpan } from '../spans.ts';
import { type NamedValues, type OptInRow, valuesAfterWords } from './opt-in-row.ts';

/** Prefixes of month names in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish and Russian. */
const MONTH =
  '(?:jan|feb|f[ée]v|mar|m[äa]r|mrt|maa|apr|avr|abr|kwi|ma[iyjg]|mei|jun|jui|jul|giu|lug|cze|lip|aug|ago|ao[uû]|sie|sep|set|wrz|o[ck]t|out|ott|pa[źz]|nov|lis|de[cz]|d[ée]c|dic|gru|ene|gen|sty|lut|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)[a-zéûçãäźńа-я]{0,9}\\.?';
const DATE = [
  '\\d{4}([-/.])\\d{1,2}\\1\\d{1,2}(?:T00:00:00(?:\\.0{1,6})?Z?)?',
  '\\d{1,2}([-/.]) ?\\d{1,2}\\2 ?(?:\\d{4}|\\d{2})',
  `\\d{1,2}(?:st|nd|rd|th|er|\\.|º)?[ -](?:of |de |di )?${MONTH},?[ -](?:de |del |di )?\\d{4}`,
  `${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}`,
  '\\d{4}\\s?[年년]\\s?\\d{1,2}\\s?[月월]\\s?\\d{1,2}\\s?[日일]',
].join('|');

const NAMED: NamedValues = {
  words:
    /(?<![A-Za-z])(?:born|date[ _-]?of[ _-]?birth|birth[ _-]?da(?:te|y)|d\.?o\.?b\b\.?|geboren|geburtsdatum|geb\.|n[ée]e? le|date de naissance|fecha de nacimiento|nacid[oa] el|nació el|data di nascita|nat[oa](?: a [A-Z][a-z]{2,20})? il|geboortedatum|data de nascimento|nascid[oa] em|data urodzenia|urodzon[ya]|doğum tarihi|b\. )|生年月日|出生日期|생년월일|дата рождения|родил(?:ся|ась)/gi,
  between:
    /[\s:：="'>_([-]{0,6}(?:(?:is|was|ist|est|es) )?(?:(?:in|à|a|en|te) \p{Lu}[\p{L}-]{1,20},? )?(?:(?:on|am|op|le|il|el|em) )?/uy,
  value: new RegExp(DATE, 'iuy'),
  accepts: isDate,
};
const MAX_NAMED = 130;

/** True for a valid calendar day in a plausible year of birth. */
function isDate(value: string): boolean {
  const numbers = value.replace(/T.*/, '').match(/\d+/g)!.map(Number);
  const years = numbers.filter((number) => number > 99);
  if (years.some((year) => year < 1890 || year > 2040)) return false;
  const others = numbers.filter((number) => number <= 99);
  const [first = 0, second = 0] = others;
  if (years.length === 0) return isDay(first) && isDay(second) && Math.min(first, second) <= 12;
  return others.every(isDay) && (others.length < 2 || Math.min(first, second) <= 12);
}

function isDay(number: number): boolean {
  return number >= 1 && number <= 31;
}

function findDates(text: string): PiiSpan[] {
  return valuesAfterWords(text, NAMED).map(([start, end]) => ({
    start,
    end,
    type: 'date_of_birth',
    rule: 'pii.date-of-birth',
    confidence: VALUE.dateOfBirth,
  }));
}

export const DATE_OF_BIRTH = {
  type: 'date_of_birth',
  placeholder: '[DATE_OF_BIRTH]',
  reason: 'Contains a date of birth.',
  find: findDates,
  reach: within(MAX_NAMED),
} as const satisfies OptInRow;
