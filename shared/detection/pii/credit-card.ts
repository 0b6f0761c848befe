/** Luhn's check digit over a string of digits. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  let double = false;
  for (let i = digits.length - 1; i >= 0; i--) {
    let value = digits.charCodeAt(i) - 48;
    if (double) {
      value *= 2;
      if (value > 9) value -= 9;
    }
    sum += value;
    double = !double;
  }
  return sum % 10 === 0;
}

interface Issuer {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly lengths: readonly number[];
  /** Wide ranges that everyday numbers fall into: only with a word about cards nearby. */
  readonly needsContext?: boolean;
}

/** Issuer identification ranges, compared on as many leading digits as `from` has. ISO/IEC 7812. */
const ISSUERS: readonly Issuer[] = [
  { name: 'visa', from: 4, to: 4, lengths: [13, 16, 19] },
  { name: 'mastercard', from: 51, to: 55, lengths: [16] },
  { name: 'mastercard', from: 2221, to: 2720, lengths: [16] },
  { name: 'amex', from: 34, to: 34, lengths: [15] },
  { name: 'amex', from: 37, to: 37, lengths: [15] },
  { name: 'discover', from: 6011, to: 6011, lengths: [16, 19] },
  { name: 'discover', from: 644, to: 649, lengths: [16, 19] },
  { name: 'discover', from: 65, to: 65, lengths: [16, 19] },
  { name: 'diners', from: 300, to: 305, lengths: [14, 16, 19] },
  { name: 'diners', from: 3095, to: 3095, lengths: [14, 16, 19] },
  { name: 'diners', from: 36, to: 36, lengths: [14] },
  { name: 'diners', from: 38, to: 39, lengths: [14, 16, 19] },
  { name: 'jcb', from: 3528, to: 3589, lengths: [16, 19] },
  { name: 'jcb', from: 1800, to: 1800, lengths: [15] },
  { name: 'jcb', from: 2131, to: 2131, lengths: [15] },
  { name: 'unionpay', from: 62, to: 62, lengths: [16, 17, 18, 19] },
  { name: 'mir', from: 2200, to: 2204, lengths: [16] },
  { name: 'rupay', from: 508, to: 508, lengths: [16] },
  { name: 'rupay', from: 81, to: 82, lengths: [16] },
  { name: 'maestro', from: 50, to: 50, lengths: [12, 13, 14, 15, 16, 17, 18, 19], needsContext: true },
  { name: 'maestro', from: 56, to: 69, lengths: [12, 13, 14, 15, 16, 17, 18, 19], needsContext: true },
];

/** `yes`, `context` (only beside a word about cards) or `no`. */
export function cardVerdict(digits: string): 'yes' | 'context' | 'no' {
  if (digits.length < 12 || digits.length > 19) return 'no';
  let found: 'context' | 'no' = 'no';
  for (const issuer of ISSUERS) {
    const lead = Number(digits.slice(0, String(issuer.from).length));
    if (lead < issuer.from || lead > issuer.to || !issuer.lengths.includes(digits.length)) continue;
    if (!passesLuhn(digits) || isOneDigit(digits)) return 'no';
    if (issuer.needsContext !== true) return 'yes';
    found = 'context';
  }
  return found;
}

function isOneDigit(digits: string): boolean {
  for (let i = 1; i < digits.length; i++) if (digits.charCodeAt(i) !== digits.charCodeAt(0)) return false;
  return true;
}
