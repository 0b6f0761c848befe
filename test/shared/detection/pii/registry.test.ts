import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PII_TYPES } from '@csg/shared/contract';
import { SENSITIVE_TYPES } from '@csg/shared/detection';
import { RECOGNIZERS } from '../../../../shared/detection/pii/registry.ts';
import { USE_CASE_ROWS } from '../../../../shared/detection/presets.ts';

test('every type that the contract names is a row, in its order', () => {
  const types = SENSITIVE_TYPES.map(({ type }): string => type);
  assert.deepEqual(
    types.filter((type) => PII_TYPES.some((known) => known === type)),
    PII_TYPES,
  );
  assert.equal(new Set(types).size, types.length);
});

test('a placeholder is the name of its type, and no two types share one', () => {
  for (const { type, placeholder, reason } of SENSITIVE_TYPES) {
    assert.equal(placeholder, `[${type.toUpperCase()}]`);
    assert.match(reason, /^Contains an? [\w ]+\.$/i);
  }
});

test('every recognizer says where it is called and how much text it reads', () => {
  for (const { recognizers } of SENSITIVE_TYPES) {
    assert.ok(recognizers.length > 0);
    for (const { starts, lookAhead } of recognizers) {
      assert.ok(starts.length > 0);
      assert.ok(lookAhead.before >= 0 && lookAhead.after > 0);
    }
  }
  assert.equal(new Set(RECOGNIZERS).size, RECOGNIZERS.length, 'types that share a recognizer call it once');
});

test('the use case with the most types acts on all of them', () => {
  assert.deepEqual(
    USE_CASE_ROWS.support_bot.inputPii,
    SENSITIVE_TYPES.map(({ type }) => type),
  );
});
