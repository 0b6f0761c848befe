import type { Random } from '../random.ts';

export function escapedText(random: Random): string {
  const value = random.pick([
    'anna@example.com',
    '4111 1111 1111 1111',
    '219-45-6789',
    '+1 415 555 2671',
    '8.8.8.8',
    'j@a.io',
  ]);
  const code = (c: string) => c.charCodeAt(0);
  const write = random.pick<(c: string) => string>([
    (c) => `%${code(c).toString(16)}`,
    (c) => `%25${code(c).toString(16).toUpperCase()}`,
    (c) => `&#${code(c)};`,
    (c) => `&#x${code(c).toString(16)};`,
    (c) => `&amp;#${code(c)};`,
    (c) => `&#0${code(c)}`,
    (c) => `\\u00${code(c).toString(16)}`,
    (c) => `\\\\u00${code(c).toString(16)}`,
    (c) => `\\u{${code(c).toString(16)}}`,
    (c) => `\\x${code(c).toString(16)}`,
    (c) => `\\${code(c).toString(8).padStart(3, '0')}`,
    (c) => `\\${code(c).toString(16)} `,
    (c) => `=${code(c).toString(16).toUpperCase()}`,
    (c) => (c === ' ' ? '+' : c === '@' ? '%40' : c),
    (c) => (c === ' ' ? '&nbsp;' : c === '.' ? '&period;' : c === '@' ? '&commat;' : c),
    (c) => (c === ' ' ? '%E2%80%89' : c === '-' ? '%E2%80%93' : c),
    (c) => (c === ' ' ? '\\u00a0' : c === '-' ? '\\u2011' : c),
    (c) =>
      `${c}${random.chance(0.3) ? random.pick(['\u200b', '\u00ad', '=\n', '&shy;', '=\r\n', '&zwj;']) : ''}`,
    (c) => (/\d/.test(c) ? String.fromCodePoint(0x660 + Number(c)) : c),
    (c) => (/\d/.test(c) ? `&#x${(0xff10 + Number(c)).toString(16)};` : c),
  ]);
  const share = random.pick([1, 1, 0.3, 0.1]);
  const written = [...value].map((c) => (random.chance(share) || /[@ ]/.test(c) ? write(c) : c)).join('');
  const lead = random.pick([
    '',
    'mail ',
    '?to=',
    '?a=1&to=',
    'x=',
    '"',
    'caf=C3=A9 ',
    '=?utf-8?q?',
    'a+b ',
    '"n":"',
    '\\',
    '%',
    '&amp;',
    'phone ',
    'https://example.com/?phone=',
    'price+tax=',
    'one=20two=3D ',
  ]);
  const tail = random.pick([
    '',
    ' ok',
    '&b=2',
    '"',
    '?=',
    '.',
    '\\n',
    '%20x',
    '&#59;',
    ';',
    '=\n',
    'x',
    '+1',
  ]);
  return lead + written + tail;
}
