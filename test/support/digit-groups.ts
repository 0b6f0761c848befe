import { passesLuhn } from '../../shared/detection/pii/credit-card.ts';
import { DigitGroups } from '../../shared/detection/pii/digit-groups.ts';

/** The codes of a text, followed by zeros. */
export function codesOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length + 4 }, (_, at) => text.charCodeAt(at) || 0);
}

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
