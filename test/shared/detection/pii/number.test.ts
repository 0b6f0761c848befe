import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '../../../../shared/detection/index.ts';

test('numbers in code, logs and sums are not phone numbers', () => {
  for (const text of [
    '"text": [\n "--2024-04-03 21:42:52--  https://raw.example.com/a"',
    'X-Mailer: Microsoft Office Outlook, Build 11.0.5510',
    '"twitter:app:id:iphone": "544007664"',
    'user  49887   0.0 33647456   1404   ??  Ss   10:09PM',
    '"text" VARCHAR(16777216)',
    "Tool call: simple_eval({'expression': '152399025 * 6'})",
    'call it with 914394150 / 123',
  ])
    assert.deepEqual(piiSpans(text, ['phone', 'credit_card', 'ssn']), [], text);
});

test('a number in brackets is an area code only if a phone number of that length exists', () => {
  for (const text of [
    'Springfield, IL (62704) 41 degrees',
    'The Long Road (1994) 2210 reviews',
    '(555) 1234',
    'https://doi.org/10.1000//0033-1234.126.1.78',
    'doi:10.1000/(212) 555-0123',
  ])
    assert.deepEqual(piiSpans(text, ['phone']), [], text);
  for (const [text, number] of [
    ['write to (030) 1234 soon', '(030) 1234'],
    ['it is (212) 555-0123', '(212) 555-0123'],
    ['call (555) 1234', '(555) 1234'],
    ['(1994) 22 10 55', '(1994) 22 10 55'],
  ] as const)
    assert.deepEqual(
      piiSpans(text, ['phone']).map(({ start, end }) => text.slice(start, end)),
      [number],
      text,
    );
});

test('a number that is named a phone number is one', () => {
  for (const [text, number] of [
    ['Call 212-226-4687 today', '212-226-4687'],
    ['my phone is 544007664', '544007664'],
    ['text me at 16777216', '16777216'],
    ['Fax: 01.27.55.48.12', '01.27.55.48.12'],
    ['reach him on 0049 30 901820', '0049 30 901820'],
  ] as const) {
    const spans = piiSpans(text, ['phone']);
    assert.deepEqual(
      spans.map(({ start, end }) => text.slice(start, end)),
      [number],
      text,
    );
  }
});
