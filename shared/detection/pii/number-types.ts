import { MAX_LEAD } from './context.ts';
import { ipv6At, MAX_IPV6 } from './ipv6.ts';
import { MAX_NUMBER, readNumber } from './number.ts';
import type { Recognizer, SensitiveRow } from './recognizer.ts';

/** Cards, phone numbers, SSNs and IPv4 addresses look alike, so one recognizer of digits distinguishes them. */
const NUMBER: Recognizer = {
  starts: '0123456789',
  find: readNumber,
  // the words that name it; a plus and a bracket before it
  reach: {
    sign: 'an odd word',
    before: MAX_LEAD + 2,
    after: MAX_NUMBER,
    ends: 'with its word',
    // each is validated in several readings, and the validations of a text are limited
    counted: { sign: /\+\d/, most: 30 },
  },
};

const IPV6: Recognizer = {
  starts: ':',
  find: ({ text, codes, floor }, at) => {
    const span = ipv6At(text, codes, at, floor);
    return span === undefined ? undefined : { span, next: span.end };
  },
  // another number may begin within its last group
  reach: { sign: 'an odd word', before: 4, after: MAX_IPV6 + MAX_NUMBER, ends: 'with its word' },
};

export const PHONE = {
  type: 'phone',
  placeholder: '[PHONE]',
  reason: 'Contains a phone number.',
  recognizers: [NUMBER],
} as const satisfies SensitiveRow;

export const SSN = {
  type: 'ssn',
  placeholder: '[SSN]',
  reason: 'Contains a US social security number.',
  recognizers: [NUMBER],
} as const satisfies SensitiveRow;

export const CREDIT_CARD = {
  type: 'credit_card',
  placeholder: '[CREDIT_CARD]',
  reason: 'Contains a payment card number.',
  recognizers: [NUMBER],
} as const satisfies SensitiveRow;

export const IP_ADDRESS = {
  type: 'ip_address',
  placeholder: '[IP_ADDRESS]',
  reason: 'Contains an IP address.',
  recognizers: [NUMBER, IPV6],
} as const satisfies SensitiveRow;
