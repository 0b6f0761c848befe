import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PII_TYPES } from '@csg/shared/contract';
import { compileRuleset, SENSITIVE_TYPES, scan, sensitiveTypeOfRule } from '@csg/shared/detection';
import { RECOGNIZERS } from '../../../../shared/detection/pii/registry.ts';
import { USE_CASE_ROWS } from '../../../../shared/detection/presets.ts';

test('every type of the contract has a row, in the same order', () => {
  const types = SENSITIVE_TYPES.map(({ type }): string => type);
  assert.deepEqual(
    types.filter((type) => PII_TYPES.some((known) => known === type)),
    PII_TYPES,
  );
  assert.equal(new Set(types).size, types.length);
});

test('a placeholder contains the name of its type, and no two types share one', () => {
  for (const { type, placeholder, reason } of SENSITIVE_TYPES) {
    assert.equal(placeholder, `[${type.toUpperCase()}]`);
    assert.match(reason, /^Contains an? [\w ]+\.$/i);
  }
});

test('recognizers that types share are called once, and those of secrets not with personal data', () => {
  for (const { recognizers } of SENSITIVE_TYPES) assert.ok(recognizers.length > 0);
  assert.equal(new Set(RECOGNIZERS).size, RECOGNIZERS.length);
  for (const { starts } of RECOGNIZERS) assert.ok(starts.length > 0);
});

test('the rule of a finding determines its type', () => {
  const text =
    'ada@harbour.example, ada [at] harbour [dot] example, +49 30 901820, SSN 536-22-8726, card 4111 1111 1111 1111, ' +
    'from 81.2.69.142 and 2a02:2e0:3fe:1001::7, key AKIAIOSFODNN7EXAMPLQ';
  const ruleset = compileRuleset({ useCase: 'support_bot', strictness: 'strict', policies: [] });
  const found = scan([{ path: '', role: 'user', text }], ruleset, 'input').filter(
    ({ pii }) => pii !== undefined,
  );
  assert.ok(new Set(found.map(({ rule }) => rule)).size >= 7, found.map(({ rule }) => rule).join());
  for (const { rule, pii } of found) assert.equal(sensitiveTypeOfRule(rule), pii, rule);
  assert.equal(sensitiveTypeOfRule('attack.user'), undefined);
});

test('the use case with the most types applies to all of them', () => {
  assert.deepEqual(
    USE_CASE_ROWS.support_bot.inputPii,
    SENSITIVE_TYPES.map(({ type }) => type),
  );
});
