import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Direction, PolicyRules } from '../../../../shared/contract/index.ts';
import { decideFindings } from '../../../../shared/decision/index.ts';
import { compileRuleset, scan } from '../../../../shared/detection/index.ts';
import { compileAllowedValues, normalValue } from '../../../../shared/detection/policies/allowed-values.ts';
import { createTextGates } from '../../../../shared/streaming/text-gates.ts';
import { applyReplacements } from '../../../../shared/text/index.ts';

const CARD = ['4242', '4242', '4242', '4242'].join(' ');
const OTHER_CARD = ['4111', '1111', '1111', '1111'].join(' ');
const OWN = 'support@own-company.example';
const KEY = ['sk', 'live', 'q8Zr2Lw9Xv4Ny7Tb3Kd6Pm1H'].join('_');

const pol = (id: string, rules: PolicyRules, action: 'redact' | 'block' = 'redact') => ({
  ...{ id, action, rules },
  threatTypes: ['pii_leak', 'secret_leak'] as const,
});

function evaluate(text: string, policies: readonly ReturnType<typeof pol>[], direction: Direction = 'input') {
  const ruleset = compileRuleset({ useCase: 'support_bot', strictness: 'moderate', policies });
  const verdict = decideFindings(
    scan([{ path: '', role: direction === 'input' ? 'user' : 'assistant', text }], ruleset, direction),
    ruleset,
    direction,
  );
  return { verdict, text: applyReplacements(text, verdict.replacements.get(0) ?? []) };
}

describe('allowed values', () => {
  test('are left alone if their policy decides, and everything else is not', () => {
    const text = `Write to ${OWN} or to anna.berg@customer.example, card ${CARD} or ${OTHER_CARD}.`;
    const without = evaluate(text, [pol('pol_1', {})]);
    assert.ok(!without.text.includes(OWN) && !without.text.includes(CARD));
    const { text: masked, verdict } = evaluate(text, [pol('pol_1', { allowed_values: [OWN, CARD] })]);
    assert.ok(masked.includes(OWN) && masked.includes(CARD), masked);
    assert.ok(!masked.includes('anna.berg') && !masked.includes(OTHER_CARD), masked);
    assert.equal(verdict.findings.length, 2, 'an allowed value is not recorded as a finding');
    assert.equal(
      evaluate(`Only ${OWN}.`, [pol('pol_1', { allowed_values: [OWN] }, 'block')]).verdict.decision,
      'allow',
    );
  });

  test('apply to secrets too, in both directions', () => {
    const text = `The key of our sandbox is ${KEY} today.`;
    for (const direction of ['input', 'output'] as const) {
      assert.notEqual(evaluate(text, [pol('pol_1', {}, 'block')], direction).verdict.decision, 'allow');
      const allowed = [pol('pol_1', { allowed_values: [KEY] }, 'block')];
      assert.equal(evaluate(text, allowed, direction).verdict.decision, 'allow', direction);
      const other = evaluate(text.replace('Tb3', 'TB3'), allowed, direction);
      assert.notEqual(other.verdict.decision, 'allow', 'secrets compare by case');
    }
  });

  test('of a stronger policy, of one for other types or of a dry run do not apply', () => {
    const text = `Write to ${OWN}.`;
    const lenient = pol('pol_low', { allowed_values: [OWN] });
    assert.equal(evaluate(text, [pol('pol_high', {}, 'block'), lenient]).verdict.decision, 'block');
    assert.equal(evaluate(text, [lenient, pol('pol_low_block', {}, 'block')]).verdict.decision, 'allow');
    const ofCards = pol('pol_cards', {
      allowed_values: [OWN],
      conditions: { pii_types: ['credit_card'] },
    });
    assert.equal(evaluate(text, [ofCards]).verdict.decision, 'redact', 'it does not cover email');
    const dry = pol('pol_dry', { allowed_values: [OWN], mode: 'monitor' });
    assert.equal(evaluate(text, [dry]).verdict.decision, 'redact');
    assert.equal(compileAllowedValues([dry]), null);
  });

  test('do not cover a text with other characters around, in or instead of the value', () => {
    const policies = [pol('pol_1', { allowed_values: [OWN] })];
    for (const text of [
      `x${OWN}`,
      `${OWN}.evil.example`,
      OWN.replace('@', '@evil.'),
      OWN.replace('@', ' (at) ').replace('.', ' (dot) '),
    ]) {
      const { verdict, text: masked } = evaluate(`Write to ${text} now, please.`, policies);
      assert.ok(verdict.decision !== 'allow' || !masked.includes(OWN), text);
    }
  });

  test('are compared regardless of spelling variants', () => {
    const same: [string, string][] = [
      [CARD, CARD.replaceAll(' ', '')],
      [CARD, CARD.replaceAll(' ', '-')],
      [OWN, ' Support@Own-Company.example'],
      ['+49 30 901820', '+49 (30) 90-18-20'],
      ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ];
    for (const [one, other] of same) assert.equal(normalValue(one), normalValue(other), other);
    const different: [string, string][] = [
      ['a.b@c.example', 'ab@c.example'],
      ['192.0.2.11', '192.0.21.1'],
      [CARD, OTHER_CARD],
      ['tokenA', 'tokena'],
    ];
    for (const [one, other] of different) assert.notEqual(normalValue(one), normalValue(other), other);
  });

  test('a live response releases a complete text with only allowed values in it', () => {
    const gates = (rules: PolicyRules) =>
      createTextGates(
        compileRuleset({
          ...{ useCase: 'default', strictness: 'moderate' },
          policies: [pol('pol_1', rules, 'block')],
        }),
      );
    const text = `Write to ${OWN} for help.`;
    assert.equal(gates({}).mayLeave('assistant', text), false);
    assert.equal(gates({ allowed_values: [OWN] }).mayLeave('assistant', text), true);
  });
});
