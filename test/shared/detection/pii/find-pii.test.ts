import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getExampleNumber } from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import { piiSpans } from '../../../../shared/detection/index.ts';
import { createRandom, type Random } from '../../../support/random.ts';

/** Forms of personal data, generated from a seed in texts of our own, without any data set. */
interface Form {
  readonly name: string;
  readonly type: string;
  /** A value and the text that contains it. */
  readonly make: (random: Random) => readonly [value: string, text: string];
}

const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.below(10)).join('');
const letters = (random: Random, count: number, of = 'abcdefghijklmnopqrstuvwxyz') =>
  Array.from({ length: count }, () => of[random.below(of.length)]).join('');
const hex = (random: Random, count: number) => letters(random, count, '0123456789abcdef');
const within = (template: string, value: string) => [value, template.replace('§', () => value)] as const;

function luhn(random: Random, lead: string, count: number): string {
  const body = lead + digits(random, count - lead.length - 1);
  for (let check = 0; ; check++) {
    const number = `${body}${check}`;
    const sum = [...number]
      .reverse()
      .map((digit, place) => Number(digit) * (place % 2 === 1 ? 2 : 1))
      .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
    if (sum % 10 === 0) return number;
  }
}

const COUNTRIES = Object.keys(examples) as (keyof typeof examples)[];
const PHONES = COUNTRIES.map((country) => getExampleNumber(country as 'DE', examples as never)!);

const phone = (name: string, write: (one: (typeof PHONES)[number]) => string, template: string): Form => ({
  name,
  type: 'phone',
  make: (random) => within(template, write(random.pick(PHONES))),
});
const card = (name: string, gap: string, template = 'card: § ok'): Form => ({
  name: `card with ${name}`,
  type: 'credit_card',
  make: (random) => {
    const number = luhn(random, random.pick(['4', '51', '55', '2221', '6011', '3528', '62']), 16);
    return within(template, number.match(/.{4}/g)!.join(gap));
  },
});
const HOSTS = [
  ['example', 'com'],
  ['mail', 'example', 'org'],
  ['firma', 'de'],
  ['shop', 'example', 'co', 'uk'],
];
const spelled = (name: string, at: string, dot: string): Form => ({
  name: `e-mail, ${name}`,
  type: 'email',
  make: (random) =>
    within(
      random.pick(['contact: § thanks', 'my email is §', 'write to § please']),
      `${letters(random, 6)}${at}${random.pick(HOSTS).join(dot)}`,
    ),
});
const email = (name: string, local: (random: Random) => string, host = 'mail.example.com'): Form => ({
  name: `e-mail, ${name}`,
  type: 'email',
  make: (random) =>
    within(
      random.pick(['§', '<§>', '{"to":"§"}', 'mailto:§?subject=x', '[me](mailto:§)', 'Mail:§.', 'a=§&b=1']),
      `${local(random)}@${host}`,
    ),
});
const ip = (name: string, make: (random: Random) => string): Form => ({
  name,
  type: 'ip_address',
  make: (random) =>
    within(
      random.pick(['from §', '[§]:443', 'http://[§]/x', '{"ip":"§"}', 'net §/64', 'It was §.']),
      make(random),
    ),
});
const word = (random: Random) => letters(random, 5 + random.below(5));

const FORMS: readonly Form[] = [
  phone('international', (one) => one.formatInternational(), 'Reach me at § please.'),
  phone('international, in brackets', (one) => one.formatInternational(), '(§)'),
  phone('international, as JSON', (one) => one.formatInternational(), '{"phone":"§"}'),
  phone('E.164', (one) => one.number, 'x § y'),
  phone('hyphens', (one) => one.formatInternational().replace(/ /g, '-'), 'a § b'),
  phone('dots', (one) => one.formatInternational().replace(/ /g, '.'), 'a § b'),
  phone('no-break blanks', (one) => one.formatInternational().replace(/ /g, '\u00a0'), 'a § b'),
  phone('with 00', (one) => one.formatInternational().replace('+', '00'), 'Tel: § ok'),
  phone('with (0)', (one) => one.formatInternational().replace(/^(\+\d+) /, '$1 (0) '), 'tel § ok'),
  ...[
    ['blanks', ' '],
    ['nothing', ''],
    ['hyphens', '-'],
    ['dots', '.'],
    ['two blanks', '  '],
    ['hyphens and blanks', ' - '],
  ].map(([name = '', gap = '']) => card(name, gap, 'pay with § please')),
  ...[
    ['slashes', '/'],
    ['middle dots', '·'],
    ['dashes', '–'],
    ['thin blanks', '\u2009'],
    ['bars', ' | '],
  ].map(([name = '', gap = '']) => card(name, gap, 'pay with § please')),
  ...[
    ['underscores', '_'],
    ['colons', ':'],
    ['commas', ', '],
    ['lines', '\n'],
    ['tabs', '\t'],
  ].map(([name = '', gap = '']) => card(name, gap)),
  {
    name: 'card, digit by digit',
    type: 'credit_card',
    make: (random) => within('card § ok', [...luhn(random, '4', 16)].join(' ')),
  },
  {
    name: 'card of American Express',
    type: 'credit_card',
    make: (random) => within('amex §', luhn(random, '37', 15).replace(/^(.{4})(.{6})/, '$1 $2 ')),
  },
  {
    name: 'card in JSON',
    type: 'credit_card',
    make: (random) => within('{"pan":"§"}', luhn(random, '4', 16)),
  },
  email('plain', word),
  email('with a tag', (random) => `${word(random)}+${word(random)}`),
  email('of letters beyond ASCII', (random) => `jörg.${word(random)}`),
  email('of another script', (random) => `иван.${word(random)}`),
  email('with an apostrophe', (random) => `o'${word(random)}`),
  email('quoted', (random) => `"${word(random)} ${word(random)}"`),
  email('at a host of another script', word, '例え.jp'),
  email('in capitals', (random) => word(random).toUpperCase(), 'EXAMPLE.COM'),
  spelled('at dot', ' at ', ' dot '),
  spelled('AT DOT', ' AT ', ' DOT '),
  spelled('[at] [dot]', ' [at] ', ' [dot] '),
  spelled('(at)', '(at)', '.'),
  spelled('{at}{dot}', '{at}', '{dot}'),
  spelled('@ [dot]', '@', ' [dot] '),
  spelled('blanks around', ' @ ', ' . '),
  spelled('_at_', '_at_', '_dot_'),
  spelled('-at-', '-at-', '-dot-'),
  spelled('arroba punto', ' arroba ', ' punto '),
  spelled('(ät) (punkt)', ' (ät) ', ' (punkt) '),
  spelled('as an entity', '&#64;', '.'),
  spelled('percent-encoded', '%40', '.'),
  spelled('fullwidth', '＠', '．'),
  {
    name: 'IPv4',
    type: 'ip_address',
    make: (random) =>
      within(
        random.pick(['from §', '§:8080', 'net §/24', 'http://§/x', 'a,§,b', 'It was §.']),
        `${20 + random.below(200)}.${random.below(256)}.${random.below(256)}.${1 + random.below(254)}`,
      ),
  },
  ip('IPv6, all groups', (random) => Array.from({ length: 8 }, () => `1${hex(random, 3)}`).join(':')),
  ip('IPv6, capitals', (random) =>
    Array.from({ length: 8 }, () => `1${hex(random, 3)}`)
      .join(':')
      .toUpperCase(),
  ),
  ip('IPv6, short', (random) => `2a02:${hex(random, 4)}::1`),
  ip('IPv6, of an IPv4', (random) => `::ffff:${20 + random.below(200)}.4.5.6`),
  {
    name: 'SSN',
    type: 'ssn',
    make: (random) =>
      within(
        random.pick(['my § is', '{"ssn":"§"}', '§']),
        `219-${10 + random.below(89)}-${1000 + random.below(8999)}`,
      ),
  },
  ...[' ', '', '.', '–', '/'].map(
    (gap): Form => ({
      name: `SSN with "${gap}"`,
      type: 'ssn',
      make: (random) =>
        within('SSN: § ok', ['457', `${10 + random.below(89)}`, `${1000 + random.below(8999)}`].join(gap)),
    }),
  ),
];

test('finds every form with exact spans', () => {
  const random = createRandom(31);
  for (const { name, type, make } of FORMS) {
    const missed: string[] = [];
    for (let n = 0; n < 40; n++) {
      const [value, text] = make(random);
      const start = text.indexOf(value);
      const exact = piiSpans(text).some(
        (span) => span.type === type && span.start === start && span.end === start + value.length,
      );
      if (!exact) missed.push(text);
    }
    assert.ok(missed.length <= 1, `${name}: ${missed.length} of 40 missed, such as ${missed[0]}`);
  }
});

/** Texts that look like personal data and are not. */
const THINGS: Readonly<Record<string, (random: Random) => string>> = {
  ISBN: (r) => `ISBN 978-${digits(r, 1)}-${digits(r, 2)}-${digits(r, 6)}-${digits(r, 1)}`,
  UUID: (r) => `${hex(r, 8)}-${hex(r, 4)}-4${hex(r, 3)}-a${hex(r, 3)}-${hex(r, 12)}`,
  'hash of a commit': (r) => `commit ${hex(r, 40)}`,
  checksum: (r) => `${hex(r, 64)}  file.tar.gz`,
  'time stamp': (r) =>
    `at 202${digits(r, 1)}-0${1 + r.below(9)}-1${digits(r, 1)}T1${digits(r, 1)}:2${digits(r, 1)}:3${digits(r, 1)}.${digits(r, 3)}Z`,
  epoch: (r) => `created 1${digits(r, 12)} ok`,
  dates: (r) =>
    `${1 + r.below(28)}/${1 + r.below(12)}/20${digits(r, 2)} to ${1 + r.below(28)}.${1 + r.below(12)}.20${digits(r, 2)}`,
  version: (r) => `version ${r.below(20)}.${r.below(40)}.${r.below(90)}.${r.below(250)}`,
  browser: (r) => `Chrome/1${digits(r, 2)}.0.${digits(r, 4)}.${digits(r, 2)} Safari/537.36`,
  'tracking number': (r) => `tracking number 94${digits(r, 20)}`,
  order: (r) => `Order ${digits(r, 3)}-${digits(r, 7)}-${digits(r, 7)}`,
  'bank account': (r) =>
    `DE${digits(r, 2)} ${1 + r.below(8)}${digits(r, 3)} ${digits(r, 4)} ${digits(r, 4)} ${digits(r, 4)} ${digits(r, 2)}`,
  article: (r) => `EAN ${digits(r, 13)}`,
  coordinates: (r) => `${digits(r, 2)}.${digits(r, 6)}, -${digits(r, 2)}.${digits(r, 6)}`,
  money: (r) => `total $${1 + r.below(9)},${digits(r, 3)},${digits(r, 3)}.00`,
  'hardware address': (r) => Array.from({ length: 6 }, () => hex(r, 2)).join(':'),
  'serial of a certificate': (r) => `serial ${Array.from({ length: 8 }, () => hex(r, 2)).join(':')}`,
  'code with colons': (r) => `std::${letters(r, 5)}::${letters(r, 4)} a::b`,
  package: (r) => `npm i @${letters(r, 5)}/${letters(r, 4)}@${digits(r, 1)}.${digits(r, 1)}.${digits(r, 2)}`,
  repository: (r) => `git clone git@github.com:${letters(r, 5)}/${letters(r, 6)}.git`,
  'names with at': (r) => `@${letters(r, 6)} and icon@2x.png`,
  role: (r) => `arn:aws:iam::${digits(r, 12)}:role/${letters(r, 6)}`,
  trace: (r) => `trace_id=${hex(r, 32)} span_id=${hex(r, 16)}`,
  picture: (r) => `data:image/png;base64,iVBORw0KGgo${letters(r, 60, 'ABCDefgh0189')}`,
  'file in base64': (r) => btoa(`{"name":"${letters(r, 8)}","count":${digits(r, 3)}}`),
  'rows of figures': (r) =>
    `${1 + r.below(9)}${digits(r, 3)}\n${digits(r, 4)}\n${digits(r, 4)}\n${digits(r, 4)}\n`,
  link: (r) => `https://example.com/?q=a%20b%20${letters(r, 5)}&t=${digits(r, 6)}`,
  sentences: (r) => `look at the dot com boom ${letters(r, 4)}; meet at example dot the end`,
};

test('ignores texts that only look like personal data', () => {
  const random = createRandom(53);
  let hits = 0;
  let count = 0;
  for (const [name, make] of Object.entries(THINGS)) {
    const wrong: string[] = [];
    for (let n = 0; n < 40; n++, count++) {
      const text = make(random);
      const found = piiSpans(text).map((span) => `${span.type}: ${text.slice(span.start, span.end)}`);
      if (found.length > 0) wrong.push(`${text} -> ${found.join(', ')}`);
    }
    hits += wrong.length;
    assert.ok(wrong.length <= 2, `${name}: ${wrong.length} of 40, such as ${wrong[0]}`);
  }
  assert.ok(hits / count <= 0.005, `${hits} of ${count}`);
});
