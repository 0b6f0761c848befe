import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PII_TYPES, type PiiType } from '@csg/shared/contract';
import { compileRuleset, redactPii, scan } from '@csg/shared/detection';
import fc from 'fast-check';
import { piiSpans } from '../../../../shared/detection/redact-pii.ts';

const VALUES: Readonly<Record<PiiType, readonly string[]>> = {
  ssn: ['536-90-4399'],
  phone: ['212-555-0187', '(212) 555-0187', '+1 212 555 0187'],
  credit_card: ['4111 1111 1111 1111', '4111111111111111', '4111-1111-1111-1111'],
  email: ['anna@example.com'],
  ip_address: ['8.8.4.4'],
  api_key: [`AKIA${'IOSFODNN7'}${'QWERTYU'}`],
};
const SEPARATORS = [' ', '\t', '\n', ', ', ',', '|', '_', '-', '/', '; ', ':', '\u00a0', '\u2003', ' and '];

const RULESET = compileRuleset({ useCase: 'default', strictness: 'strict', policies: [] });

const value = fc
  .constantFrom(...PII_TYPES)
  .chain((type) => fc.constantFrom(...VALUES[type]).map((text) => ({ type, text })));
const sequence = fc
  .array(fc.tuple(value, fc.constantFrom(...SEPARATORS)), { minLength: 2, maxLength: 5 })
  .map(
    (parts) =>
      `Anna ${parts.map(([{ text }, separator], i) => (i === 0 ? text : separator + text)).join('')} end`,
  );

const SEED = 20_261_123;

test('proxy, guard and scan find the same spans as redact, before preset and pii_types select', () => {
  fc.assert(
    fc.property(sequence, fc.subarray([...PII_TYPES]), (text, types) => {
      const wanted = RULESET.input.pii;
      const findings = scan([{ path: '/c', role: 'user', text }], RULESET, 'input');
      const found = findings.flatMap(({ pii, start, end }) => (pii ? [`${pii} ${start}-${end}`] : []));
      const all = new Set(
        PII_TYPES.flatMap((type) => piiSpans(text, [type])).map(
          ({ type, start, end }) => `${type} ${start}-${end}`,
        ),
      );
      for (const one of found) assert.ok(all.has(one), `scan alone finds ${one} in ${JSON.stringify(text)}`);
      for (const one of all) {
        const type = one.split(' ')[0] as PiiType;
        if (type !== 'api_key' && !wanted.has(type)) continue;
        if (type !== 'ip_address') assert.ok(found.includes(one), `redact alone finds ${one} in ${text}`);
      }
      // A subset selects among the same spans: everything it masks is also masked with all types.
      for (const { type, start, end } of piiSpans(text, types))
        assert.ok(all.has(`${type} ${start}-${end}`), `${type} ${start}-${end} in ${JSON.stringify(text)}`);
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});

test('a fraction is not a card, and a card at the end of a sentence is one', () => {
  for (const text of ['0.6226936145823043', 'score 12.4111111111111111', '-0.4111111111111111'])
    assert.equal(redactPii(text, ['credit_card']).redacted, text);
  assert.equal(redactPii('card 4111 1111 1111 1111.', ['credit_card']).redacted, 'card [CREDIT_CARD].');
});

test('finds cards of every issued length', () => {
  for (const card of [
    '378282246310005',
    '30569309025904',
    '4222222222222',
    '6304000000000000000',
    '6011111111111117',
  ])
    assert.equal(redactPii(`card ${card}`, ['credit_card']).redacted, 'card [CREDIT_CARD]', card);
});
