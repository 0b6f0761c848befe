import { getExampleNumber } from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import type { PiiType } from '../../shared/contract/index.ts';
import type { Random } from './random.ts';
import { sampleOf } from './sample-of.ts';

/** A made-up value and its type. */
export interface SensitiveValue {
  readonly type: PiiType;
  readonly text: string;
}

const COUNTRIES = Object.keys(examples) as (keyof typeof examples)[];
const PHONES = COUNTRIES.map((country) => getExampleNumber(country as 'DE', examples as never)!);

const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.below(10)).join('');
const letters = (random: Random, count: number) =>
  Array.from({ length: count }, () => 'abcdefghijklmnopqrstuvwxyz'[random.below(26)]).join('');

/** `count` digits that begin with `lead` and end with Luhn's check digit. */
export function cardNumber(random: Random, lead: string, count: number): string {
  const body = lead + digits(random, count - lead.length - 1);
  const doubled = [...body].reverse().map((digit, place) => Number(digit) * (place % 2 === 0 ? 2 : 1));
  const sum = doubled.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const grouped = (gap: string) => (random: Random) =>
  cardNumber(random, random.pick(['4', '51', '55', '2221', '6011', '3528']), 16)
    .match(/.{4}/g)!
    .join(gap);
const area = (random: Random) => `${2 + random.below(8)}${10 + random.below(89)}`;
const local = (random: Random) => `555-01${10 + random.below(89)}`;

const MAKERS: readonly (readonly [PiiType, (random: Random) => string])[] = [
  ['ssn', (r) => `${219 + r.below(300)}-${10 + r.below(89)}-${1000 + r.below(8999)}`],
  ['credit_card', grouped(' ')],
  ['credit_card', grouped('-')],
  ['credit_card', grouped('')],
  ['credit_card', (r) => cardNumber(r, '37', 15).replace(/^(.{4})(.{6})/, '$1 $2 ')],
  ['phone', (r) => `${area(r)}-${local(r)}`],
  ['phone', (r) => `(${area(r)}) ${local(r)}`],
  ['phone', (r) => `${area(r)}.${local(r).replace('-', '.')}`],
  ['phone', (r) => r.pick(PHONES).formatInternational()],
  ['phone', (r) => r.pick(PHONES).number],
  ['email', (r) => `${letters(r, 6)}@${letters(r, 5)}.example.com`],
  ['email', (r) => `${letters(r, 4)}.${letters(r, 5)}+${letters(r, 3)}@mail.example.org`],
  ['ip_address', (r) => `${20 + r.below(80)}.${r.below(256)}.${r.below(256)}.${1 + r.below(254)}`],
  ['ip_address', (r) => `2a02:${letters(r, 1).replace(/[g-z]/, 'f')}${digits(r, 3)}:fc::${digits(r, 2)}c`],
  ['api_key', (r) => sampleOf('AKIA{U16}', (below) => r.below(below))],
  ['api_key', (r) => sampleOf('ghp_{A36}', (below) => r.below(below))],
  ['api_key', (r) => sampleOf('sk-ant-api03-{A90}', (below) => r.below(below))],
];

/** The number of ways to write a value. */
export const VALUE_FORMS = MAKERS.length;

export function sensitiveValue(random: Random, form: number): SensitiveValue {
  const [type, make] = MAKERS[form]!;
  return { type, text: make(random) };
}

/** Separators between two values in texts, tables, URLs and logs. */
export const SEPARATORS: readonly string[] = [
  ...[' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2009', '\u202f', '\u3000', '\u2028'],
  ...[',', ', ', ';', '; ', ':', ': ', '|', ' | ', '/', ' / ', '.', '. ', '-', ' - ', '_', '__'],
  ...[
    '=',
    '&',
    '"',
    "'",
    '#',
    '*',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '~',
    '^',
    '%',
    '$',
    '!',
    '?',
    '`',
  ],
  ...['+', '\\', '\\n', '\u2013', '\u00b7', '\u2022', '\u200b', ' and ', '</td><td>', '","'],
];
