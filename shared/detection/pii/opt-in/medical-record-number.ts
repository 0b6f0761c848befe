import { VALUE } from '../../operating-points/values.ts';
import { within } from '../../reach.ts';
import type { PiiSpan } from '../spans.ts';
import { isNhsNumber } from './check-digits.ts';
import { type NamedValues, type OptInRow, valuesAfterWords } from './opt-in-row.ts';

const NAMED: NamedValues = {
  words:
    /(?<![A-Za-z])(?:mrn|(?:medical|health) record (?:number|no\.?|#)|patient[ _-]?(?:id|no|nr|number)|hospital (?:number|no)|chart (?:number|no|#)|e[mh]r id|nhs (?:number|no)|patienten-?(?:id|nummer|nr)|fallnummer|krankenaktennummer|(?:numéro de )?dossier médical|n° patient|ipp(?= ?:)|historia clínica|nhc|cartella clinica|pati[eë]ntnummer|prontuário)(?![A-Za-z])|病[历歷][号號]|カルテ番号|номер медицинской карты/gi,
  between: /[\s:：=#"'.]{0,6}(?:(?:n[.º°o]?|nr\.?|no\.?|is) ?)?["']?/iy,
  value: /[A-Z]{0,4}-?\d(?:[-/ ]?\d){4,13}(?:-[A-Z])?(?![A-Za-z\d])/y,
  accepts: (value, word) => !/^nhs/i.test(word) || isNhs(value.replaceAll(' ', '')),
};
const MAX_NAMED = 80;

function isNhs(digits: string): boolean {
  return /^\d{10}$/.test(digits) && isNhsNumber(digits);
}

function findRecordNumbers(text: string): PiiSpan[] {
  return valuesAfterWords(text, NAMED).map(([start, end]) => ({
    start,
    end,
    type: 'medical_record_number',
    rule: 'pii.medical-record-number',
    confidence: VALUE.medicalRecord,
  }));
}

export const MEDICAL_RECORD_NUMBER = {
  type: 'medical_record_number',
  placeholder: '[MEDICAL_RECORD_NUMBER]',
  reason: 'Contains a medical record or patient number.',
  find: findRecordNumbers,
  reach: within(MAX_NAMED),
} as const satisfies OptInRow;
