import { passesLuhn } from '../../shared/detection/pii/credit-card.ts';
import { DigitGroups } from '../../shared/detection/pii/digit-groups.ts';
import { codesOf } from './text-of.ts';

/** The groups of digits that begin at `at`. */
export function groupsOf(text: string, at = 0): DigitGroups {
  const groups = new DigitGroups();
  groups.read(text, codesOf(text), at);
  return groups;
}

/** The digits followed by their Luhn check digit. */
export function withCheckDigit(body: string): string {
  const numbers = [...'0123456789'].map((check) => body + check);
  return numbers.find((one) => passesLuhn([...one].map(Number), 0, one.length))!;
}
