import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PII_TYPES } from '../../../../shared/contract/index.ts';
import { piiSpans, redactPii } from '../../../../shared/detection/index.ts';
import { assertBounded } from '../../../support/cpu-time.ts';

const redact = (text: string) => redactPii(text, PII_TYPES).redacted;
const KEY = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const SSN64 = btoa('219-45-6789');

test('escapes of transports are decoded, and values masked in place', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['https://x.com/?q=my%20ssn%20is%20536-90-4399', 'https://x.com/?q=my%20ssn%20is%20[SSN]'],
    ['https://x.com/?q=my+ssn+is+536-90-4399&x=1', 'https://x.com/?q=my+ssn+is+[SSN]&x=1'],
    ['?q=my%2520ssn%2520is%2520536-90-4399', '?q=my%2520ssn%2520is%2520[SSN]'],
    ['?q=call+me+at+(212)+555-0187', '?q=call+me+at+[PHONE]'],
    ['q=jane+at+example+dot+com', 'q=[EMAIL]'],
    ['tel=%28212%29%20555-0187', 'tel=[PHONE]'],
    ['ssn%3D536904399', 'ssn%3D[SSN]'],
    ['?ssn=536%E2%80%9190%E2%80%914399', '?ssn=[SSN]'],
    ['a=%EF%BC%95%EF%BC%93%EF%BC%96-90-4399', 'a=[SSN]'],
    ['?ip=2a02%3A26f0%3Afc%3A%3A5c7b', '?ip=[IP_ADDRESS]'],
    ['my ssn is&#160;536&#8209;90&#8209;4399', 'my ssn is&#160;[SSN]'],
    ['mail jane&amp;#64;example.com', 'mail [EMAIL]'],
    ['mail jane%26%2364%3Bexample.com', 'mail [EMAIL]'],
    ['{\\"mail\\":\\"jane\\\\u0040example.com\\"}', '{\\"mail\\":\\"[EMAIL]\\"}'],
    ['{"a":"my ssn\\n536-90-4399"}', '{"a":"my ssn\\n[SSN]"}'],
    ['{"a":"hi\\njane@example.com"}', '{"a":"hi\\n[EMAIL]"}'],
    [`{"a":"key:\\n${KEY}"}`, '{"a":"key:\\n[API_KEY]"}'],
    ['my=20ssn=20is=20536-90-=\r\n4399 and more', 'my=20ssn=20is=20[SSN] and more'],
    ['=?utf-8?Q?ssn=20536-90-4399?=', '=?utf-8?Q?ssn=20[SSN]?='],
    [`https://x.com/?d=${SSN64}`, 'https://x.com/?d=[SSN]'],
    [`https://x.com/?d=${SSN64.replaceAll('=', '%3D')}`, 'https://x.com/?d=[SSN]'],
    [`https://x.com/p/${SSN64.replaceAll('=', '')}`, 'https://x.com/p/[SSN]'],
    [`x ${btoa(encodeURIComponent('my ssn is 219-45-6789'))} y`, 'x [SSN] y'],
    [`x ${btoa(btoa('my ssn is 219-45-6789'))} y`, 'x [SSN] y'],
  ];
  for (const [text, expected] of cases) assert.equal(redact(text), expected, text);
});

test('a plus is a space only in a value of a query or form', () => {
  assert.equal(redact('Tel+4915112345678'), 'Tel[PHONE]');
  assert.equal(redact('call +4915112345678'), 'call [PHONE]');
  for (const text of ['x = a + b + 212 + 555 + 0187', 'count+=212+555+0187', 'QQ==+/a+212+555'])
    assert.equal(redact(text), text);
});

test('offsets are exact, wherever the escapes are', () => {
  const filler = fc.constantFrom(
    '%20',
    '%41',
    '&amp;',
    '&#65;',
    '\\u0041',
    'word ',
    '\n',
    'é',
    '\u200b',
    '%zz',
    '100%',
  );
  fc.assert(
    fc.property(
      fc.array(filler, { maxLength: 80 }),
      fc.array(filler, { maxLength: 80 }),
      (before, behind) => {
        const value = 'j%61ne%40example.com';
        const text = `${before.join('')} ${value} ${behind.join('')}`;
        const found = piiSpans(text).map(({ start, end }) => text.slice(start, end));
        assert.deepEqual(found, [value]);
      },
    ),
    { seed: 5, numRuns: 400 },
  );
});

test('a value after any number of escapes is found', () => {
  for (const count of [1, 39, 41, 400, 4_000]) {
    const text = `${`%41 ${'x'.repeat(300)} `.repeat(count)} ssn%20536-90-4399`;
    assert.ok(redact(text).endsWith('ssn%20[SSN]'), `${count}`);
    assert.ok(
      redact(`${'%41%20'.repeat(count)}ssn%20536-90-4399`).endsWith('ssn%20[SSN]'),
      `${count} in a row`,
    );
  }
});

test('200,000 characters of partial values take linear time', () => {
  const units = [
    '%25',
    '%41%20',
    '&amp;',
    '\\\\',
    '\\u0041',
    '=20',
    '=\n',
    'a=b+',
    '+',
    'a+',
    '\u200ba',
    `%41${'x'.repeat(121)}`,
    'q=NTM2',
    '1.1.1.1.',
    'a1::',
    'sk-ant-api03-',
    'anna@ex.io\n',
    'a@b.c-d.e',
  ];
  const fill = (unit: string) => unit.repeat(Math.ceil(200_000 / unit.length));
  const plain = fill('Write to jane@example.com, or pay with the card 4111 1111 1111 1111. ');
  assertBounded(
    units.map((unit) => [JSON.stringify(unit), () => redact(fill(unit))]),
    { boundMs: 1_000, ratio: 40, harmless: () => redact(plain) },
  );
});
