import { passesLuhn } from '../credit-card.ts';

/** Check digits of national identifiers, as published by the issuing body or the named standard. */

const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);

/** Steuer-ID: ISO 7064 mod 11,10; among the first ten exactly one digit occurs two or three times (§ 139b AO, BZSt). */
export function isSteuerId(digits: string): boolean {
  const counts = new Array<number>(10).fill(0);
  for (const digit of digits.slice(0, 10)) counts[Number(digit)]!++;
  const repeated = counts.filter((count) => count > 1);
  if (digits.startsWith('0') || repeated.length !== 1 || repeated[0]! > 3) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) product = (((Number(digit) + product) % 10 || 10) * 2) % 11;
  return (11 - product) % 10 === Number(digits[10]);
}

/** NIR: 97 less the remainder of the number; 2A and 2B of Corsica count as 19 and 18 (INSEE). */
export function isNir(nir: string): boolean {
  const number = nir.slice(0, 13).replace(/2A/i, '19').replace(/2B/i, '18');
  return 97 - Number(BigInt(number) % 97n) === Number(nir.slice(13));
}

/** DNI and NIE: a letter by the remainder by 23; X, Y and Z count as 0, 1 and 2 (Ministerio del Interior). */
export function isDni(dni: string): boolean {
  const number = dni.slice(0, 8).replace(/^[XYZ]/i, (letter) => String('XYZ'.indexOf(letter.toUpperCase())));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === dni[8]!.toUpperCase();
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Codice fiscale: characters at odd positions count by a table, the others by their value (D.M. 23/12/1976). */
export function isCodiceFiscale(code: string): boolean {
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const value = Number.parseInt(code[i]!, 36);
    const order = value > 9 ? value - 10 : value;
    sum += i % 2 === 0 ? ODD[order]! : order;
  }
  return code[15]!.toUpperCase() === String.fromCharCode(65 + (sum % 26));
}

/** BSN: the eleven test (Rijksdienst voor Identiteitsgegevens). */
export function isBsn(digits: string): boolean {
  return Number(digits) > 0 && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** PESEL (Ministerstwo Cyfryzacji); the month also encodes the century. */
export function isPesel(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 20;
  const day = Number(digits.slice(4, 6));
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

/** CPF: two digits by the remainder by 11 (Receita Federal); eleven equal digits are invalid. */
export function isCpf(digits: string): boolean {
  if (/^(\d)\1{10}$/.test(digits)) return false;
  const first = ((weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  const second = ((weighted(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  return first === Number(digits[9]) && second === Number(digits[10]);
}

/** The multiplication of the dihedral group of ten elements: reflections reverse the direction of rotation. */
function dihedral(one: number, other: number): number {
  if (one < 5) return other < 5 ? (one + other) % 5 : 5 + ((one + other) % 5);
  return other < 5 ? 5 + ((one - other) % 5) : (one - other + 5) % 5;
}

const PERMUTATION = '1576283094';

/** Aadhaar: Verhoeff's check digit (UIDAI). */
export function isAadhaar(digits: string): boolean {
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    let value = Number(digits[digits.length - 1 - i]);
    for (let times = i % 8; times > 0; times--) value = Number(PERMUTATION[value]);
    check = dihedral(check, value);
  }
  return check === 0;
}

/** Resident identity number: ISO 7064 mod 11-2 (GB 11643-1999). */
export function isResidentId(id: string): boolean {
  const sum = weighted(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return '10X98765432'[sum % 11] === id[17]!.toUpperCase();
}

/** Personnummer: Luhn over ten digits, a date first (Skatteverket). */
export function isPersonnummer(digits: string): boolean {
  const ten = digits.slice(-10);
  const month = Number(ten.slice(2, 4));
  const day = Number(ten.slice(4, 6));
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && passesLuhn([...ten].map(Number), 0, 10);
}

/** NHS number: mod 11 (NHS Data Dictionary). */
export function isNhsNumber(digits: string): boolean {
  return weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}
