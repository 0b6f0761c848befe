import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PII_TYPES } from '../../../../shared/contract/index.ts';
import { decideFindings } from '../../../../shared/decision/index.ts';
import { compileRuleset, piiSpans, redactPii, scan } from '../../../../shared/detection/index.ts';
import { applyReplacements } from '../../../../shared/text/index.ts';
import { cases, isInPart, isWhole, seedFor } from '../../../support/part.ts';
import { createRandom } from '../../../support/random.ts';
import { SEPARATORS, sensitiveValue, VALUE_FORMS } from '../../../support/sensitive-values.ts';

/** The use case that masks all six types. */
const every = compileRuleset({ useCase: 'support_bot', strictness: 'moderate', policies: [] });
const code = compileRuleset({ useCase: 'code_assistant', strictness: 'moderate', policies: [] });

/** The text as proxy, guard and scan return it; random letters may look like an attack, which is not tested here. */
function masked(text: string, ruleset = every): string {
  const slots = [{ path: '/x', role: 'user' as const, text }];
  const findings = scan(slots, ruleset, 'input').filter(({ pii }) => pii !== undefined);
  const verdict = decideFindings(findings, ruleset, 'input');
  return applyReplacements(text, verdict.replacements.get(0) ?? []);
}

const MASKS = /\[(?:EMAIL|PHONE|SSN|CREDIT_CARD|API_KEY|IP_ADDRESS)\]/g;
/** Letters and digits of separators. */
const WORDS = / and |<\/td><td>|\\n/g;

/** True if a letter or digit of a value is left. */
function isLeft(redacted: string): boolean {
  return /[a-z0-9]/i.test(redacted.replace(MASKS, '').replace(WORDS, ''));
}

test(`every pair of forms${isWhole ? ' and separators' : ''} is masked completely`, () => {
  const random = createRandom(seedFor('pairs of forms'));
  let pairs = 0;
  for (let first = 0; first < VALUE_FORMS; first++) {
    for (let second = 0; second < VALUE_FORMS; second++) {
      for (const [at, separator] of SEPARATORS.entries()) {
        if (!isInPart(`forms ${first} ${second} ${at}`, 4)) continue;
        const [a, b] = [sensitiveValue(random, first), sensitiveValue(random, second)];
        // a backslash and the letter after it are one escaped character
        if (separator === '\\' && /^[nrtux0-9]/.test(b.text)) continue;
        const text = a.text + separator + b.text;
        const redacted = masked(text);
        assert.ok(!isLeft(redacted), `${JSON.stringify(text)} -> ${redacted}`);
        assert.equal(redactPii(text, PII_TYPES).redacted, redacted);
        pairs++;
      }
    }
  }
  assert.ok(pairs > cases(3_500, 15_000), `${pairs}`);
});

const sequence = fc
  .record({
    seed: fc.integer({ min: 1, max: 1e9 }),
    forms: fc.array(fc.nat(VALUE_FORMS - 1), { minLength: 2, maxLength: 5 }),
    separators: fc.array(fc.constantFrom(...SEPARATORS.filter((one) => one !== '\\')), {
      minLength: 4,
      maxLength: 4,
    }),
  })
  .map(({ seed, forms, separators }) => {
    const random = createRandom(seed);
    return forms
      .map((form, index) => (index === 0 ? '' : separators[index - 1]!) + sensitiveValue(random, form).text)
      .join('');
  });

test('"finds the same spans in proxy, guard, scan and redact", and nothing is left of two to five values', () => {
  fc.assert(
    fc.property(sequence, (text) => {
      const redacted = redactPii(text, PII_TYPES).redacted;
      assert.equal(masked(text), redacted, text);
      assert.ok(!isLeft(redacted), `${JSON.stringify(text)} -> ${redacted}`);
      assert.equal(redactPii(redacted, PII_TYPES).count, 0, 'reading again finds nothing');
    }),
    { seed: seedFor('sequences of forms'), numRuns: cases(800, 4_000) },
  );
});

test('"before preset, policy and pii_types choose among them": a choice changes no span', () => {
  fc.assert(
    fc.property(sequence, fc.subarray([...PII_TYPES]), (text, types) => {
      const all = piiSpans(text);
      for (const span of piiSpans(text, types)) {
        const covering = all.find(({ start, end }) => start <= span.start && span.end <= end);
        assert.ok(covering !== undefined, text);
      }
      for (const span of all)
        if (types.some((type) => type === span.type))
          assert.ok(piiSpans(text, types).some(({ start, end }) => start < span.end && span.start < end));
    }),
    { seed: 29, numRuns: 500 },
  );
});

test('a selected value inside one of an unselected type is masked', () => {
  const key = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  for (const text of [
    `https://${key}@github.com/a/b.git`,
    `${key}*jane@example.com`,
    `${key}_jane@example.com`,
  ]) {
    assert.ok(!masked(text, code).includes(key.slice(4)), masked(text, code));
    assert.ok(!redactPii(text, ['api_key']).redacted.includes(key.slice(4)), text);
  }
});

test('the words before a list apply to all of its numbers', () => {
  assert.equal(masked('SSN: 536904399, 457554462 and 219099998'), 'SSN: [SSN], [SSN] and [SSN]');
  assert.equal(masked('call 2125550187 or 4155552671'), 'call [PHONE] or [PHONE]');
  assert.equal(masked('call 2125550187, 20240310'), 'call [PHONE], 20240310');
});

test('numbers next to others are ignored if they identify no person', () => {
  for (const text of [
    '1.3.6.1.5.5.7.3 and 1.3.6.1.4.1.311.21.20',
    'x 3.2531394958496094 false',
    '00000000 00 61 73 6d 01 00 00 00 01 14 04',
    '0.0000 0.0000 -5.6421 -2.2664',
    '9400 1000 0000 0000 0000 00',
    'ORCID 0000-0001-6187-6610',
    '2024-01-02 10:30:00 2024-01-03 11:31:01',
    'std::a1::b2::c3 and a::b',
    'case-536-90-4399 and id_536-90-4399',
  ])
    assert.equal(masked(text), text);
});

test('masks 130,000 addresses', () => {
  const text = 'anna@ex.io\n'.repeat(130_000);
  assert.equal(redactPii(text, PII_TYPES).count, 130_000);
  assert.equal(masked(text), '[EMAIL]\n'.repeat(130_000));
});
