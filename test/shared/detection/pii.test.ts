import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PII_TYPES } from '../../../shared/contract/index.ts';
import { piiSpans, redactPii } from '../../../shared/detection/index.ts';

function found(text: string): string[] {
  return piiSpans(text).map((span) => `${span.type}:${text.slice(span.start, span.end)}`);
}

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['My email is test@example.com and my SSN is 123-45-6789', ['email:test@example.com', 'ssn:123-45-6789']],
  ['write to "john doe"@example.org.', ['email:"john doe"@example.org']],
  ['mail <mailto:info@xn--bcher-kva.example>', ['email:info@xn--bcher-kva.example']],
  ['reach me: jane [at] example [dot] com', ['email:jane [at] example [dot] com']],
  ['card 4111 1111 1111 1111, exp 12/27', ['credit_card:4111 1111 1111 1111']],
  ['amex 3782-822463-10005', ['credit_card:3782-822463-10005']],
  ['call +49 30 41418899 or (857) 386-9729', ['phone:+49 30 41418899', 'phone:(857) 386-9729']],
  ['tel. 828-635-2307x09667', ['phone:828-635-2307x09667']],
  ['+1‑415‑555‑2671', ['phone:+1‑415‑555‑2671']],
  ['login from 207.155.150.156 ok', ['ip_address:207.155.150.156']],
  ['the server 207.155.150.157 is down', ['ip_address:207.155.150.157']],
  ['host 2001:db8:bdea:c2ab::442f up', ['ip_address:2001:db8:bdea:c2ab::442f']],
  ['SSN ⁵³⁶-⁹⁰-⁴³⁹⁹', ['ssn:⁵³⁶-⁹⁰-⁴³⁹⁹']],
  ['SSN 5​3​6-90-4399', ['ssn:5​3​6-90-4399']],
];

test('finds personal data with exact spans', () => {
  for (const [text, expected] of CASES) assert.deepEqual(found(text), expected, text);
});

test('finds numbers that a verb of calling names, in languages that write it before them', () => {
  for (const text of [
    'Rappelle-moi au 06 12 34 56 78 demain',
    'Vous pouvez me joindre au 06.12.34.56.78.',
    'Du erreichst mich unter 0171 2345678 am Abend',
    'Llámame al 612 34 56 78 por la tarde',
    'Chiamami al 347 123 4567 stasera',
  ])
    assert.deepEqual(redactPii(text, ['phone']).found, ['phone'], text);
});

test('ignores numbers that are not personal data', () => {
  for (const text of [
    'Order #2863126617 shipped',
    'version 17.16.94.723 and version 1.2.3.4',
    'ver. 5.16.94.23 and ver 9.8.7.6',
    'ISBN 978-4-35-984196-4',
    'at 2024-03-10T12:34:56.502Z',
    'id 30478f63-f942-4925-a39a-7647f14e4ded',
    'commit f4b06d3cb0aef24111cd8b16f45a8079713b5ecb',
    'pi is 3.14159265358979',
    '4111 1111 1111 1112 fails its check digit',
    'SSN 000-12-3456 and 666-12-3456 were never given out',
    'npm install left-pad@1.3.0 and icon@2x.png',
    'systemctl status getty@tty1.service user@1000.slice',
    'meet me at example.com at 10:30:15',
    'std::vector<int> a::b',
    'rows 100 200 300 400 500 600',
    'git@github.com:org/repo.git',
  ]) {
    assert.deepEqual(found(text), [], text);
  }
});

test('redacting masks only the requested types', () => {
  const text = 'a@example.com or 123-45-6789';
  assert.deepEqual(redactPii(text, ['email']), {
    redacted: '[EMAIL] or 123-45-6789',
    found: ['email'],
    count: 1,
  });
  assert.deepEqual(redactPii(text, PII_TYPES), {
    redacted: '[EMAIL] or [SSN]',
    found: ['email', 'ssn'],
    count: 2,
  });
  assert.deepEqual(redactPii(text, []), { redacted: text, found: [], count: 0 });
});

test('redacting twice changes nothing', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...CASES.map(([text]) => text),
      'key AKIAIOSFODNN7ABCDEFG',
      ' ',
      ', ',
      '\n',
      'phone: ',
      '"',
      '=',
      '@',
      '+1 ',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const once = redactPii(pieces.join(''), PII_TYPES).redacted;
      assert.equal(redactPii(once, PII_TYPES).redacted, once);
    }),
    { seed: 11, numRuns: 300 },
  );
});

test('redacting keeps JSON valid', () => {
  const body =
    '{"card": 4111111111111111, "mail": "a@example.com", "list": [1, 2], "phone": "+49 30 41418899"}';
  assert.deepEqual(JSON.parse(redactPii(body, PII_TYPES).redacted), {
    card: '[CREDIT_CARD]',
    mail: '[EMAIL]',
    list: [1, 2],
    phone: '[PHONE]',
  });
});
