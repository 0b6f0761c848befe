import type { Random } from '../random.ts';
import { cardNumber } from '../sensitive-values.ts';

export const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.below(10)).join('');
const NUMBER_LEADS = [
  ...['', '', '', 'phone ', 'call me at ', 'Tel. ', 'fax: ', 'mobile=', 'order ', 'order no. ', 'ticket #'],
  ...['ssn ', 'SSN: ', 'social security number is ', 'card number: ', 'visa ', 'my card ', 'Karte ', 'id '],
  ...['id: ', 'version ', 'v', 'ip ', 'server at ', 'isbn ', 'tracking ', 'invoice 17, ', '(', '[', '{"n": '],
  ...['{"phone": "', '[1, ', 'x=', '?q=', '&n=', '#', '$', '€ ', '-', '/', '_', 'a', 'A1 ', '.', '..', '\\n'],
  ...[
    'call\\n',
    'Tel+',
    'is+',
    ' +',
    '+',
    '(+',
    '++',
    'text me ',
    'contact ',
    'released 2024-05-06 ',
    '10.1000/',
  ],
  ...[
    'customer 4711: ',
    '電話 ',
    'телефон ',
    'Telefon: ',
    'tel:',
    'sip:',
    'https://example.com/',
    '0x',
    '№ ',
  ],
  ...['[PHONE] ', '[SSN], ', 'cc ', 'acct ', 'pan ', 'between 3 and ', 'from 1999 to ', 'at 12:30 ', 'lat '],
];
const NUMBER_GAPS = [
  ...[' ', ' ', '-', '-', '.', '/', ' - ', '  ', ', ', '_', ') ', '(', ' (', ')-', '\u00a0', '\u2009', '\n'],
  ...[' / ', ':', '–', '\u200b', '\\n', '\t', '. ', '*', ' x ', '],['],
];
const NUMBER_TAILS = [
  ...['', '', '', '.', ',', ' x123', ' ext. 5', 'x12', '#4', ' (home)', ' phone', ', office', ' mobile', '-'],
  ...['-1', '.5', '/2', 'a', ' a', '%', ' %', ' *6', ' * 6', ' / 2', '^2', '}', '"}', ', 2]', ')', ']', '>'],
  ...[
    ' is my number',
    ' EUR',
    'px',
    ':',
    ':8080',
    ': 12:30',
    '/24',
    '\\n',
    '\n',
    ' and ',
    ' or 5551234',
    '@x.de',
  ],
];

export function numberText(random: Random): string {
  const gap = random.pick(NUMBER_GAPS);
  const parts = random.pick([
    () => [area(random), digits(random, 3), digits(random, 4)],
    () => [`1`, area(random), digits(random, 3), digits(random, 4)],
    () => [
      `${random.pick(['49', '44', '33', '1', '91', '0049', '00', '353'])}`,
      digits(random, 2),
      digits(random, 7),
    ],
    () => [`0${digits(random, 2)}`, digits(random, 4), digits(random, 2 + random.below(4))],
    () => [`${100 + random.below(800)}`, digits(random, 2), digits(random, 4)],
    () => cardNumber(random, random.pick(['4', '51', '2221', '6011', '3528', '62']), 16).match(/.{4}/g)!,
    () => cardNumber(random, '4', random.pick([13, 16, 19])).match(/.{1,4}/g)!,
    () =>
      [cardNumber(random, random.pick(['37', '34']), 15)].flatMap((n) => [
        n.slice(0, 4),
        n.slice(4, 10),
        n.slice(10),
      ]),
    () => [cardNumber(random, random.pick(['4', '55', '36', '6011', '9']), random.pick([14, 16, 17, 19]))],
    () => [cardNumber(random, '4', 16)].flatMap((n) => [n.slice(0, 6), n.slice(6)]),
    () => Array.from({ length: 4 }, () => `${random.below(300)}`),
    () => Array.from({ length: 4 + random.below(3) }, () => `${random.below(256)}`),
    () => [`${1990 + random.below(40)}`, `${1 + random.below(12)}`, `${1 + random.below(31)}`],
    () => [
      `${1 + random.below(31)}`,
      `${1 + random.below(12)}`,
      `${1990 + random.below(40)}`,
      digits(random, 2),
    ],
    () => [digits(random, 4 + random.below(16))],
    () => Array.from({ length: 1 + random.below(6) }, () => digits(random, 1 + random.below(6))),
    () => [...digits(random, 7 + random.below(10))],
    () => [...cardNumber(random, '4', 16)],
  ])();
  const isMixed = random.chance(0.3);
  let number = random.chance(0.15) ? '+' : random.chance(0.1) ? '(' : '';
  number += parts.reduce(
    (text, part, at) =>
      at === 0 ? part : text + (isMixed && at > 1 ? random.pick(NUMBER_GAPS) : gap) + part,
    '',
  );
  const further = random.chance(0.2) ? random.pick(['', ' ', ', ', ' and ', '|']) + numberText(random) : '';
  return random.pick(NUMBER_LEADS) + number + random.pick(NUMBER_TAILS) + further;
}

const area = (random: Random) => `${2 + random.below(8)}${10 + random.below(89)}`;
