import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_PRIORITY, inputOf } from '../../../../apps/cloud/src/flows/policies/policy-input.ts';

test('leaves out what a form leaves empty', () => {
  const empty = {
    conditions: {},
    patterns: [],
    blocked_domains: [],
    allowed_domains: [],
    allowed_values: [],
  };
  assert.deepEqual(inputOf({ name: ' Names ', action: 'block', mode: 'enforce', ...empty, flows: [] }), {
    name: 'Names',
    description: null,
    action: 'block',
    threatTypes: [],
    isActive: true,
    priority: FIRST_PRIORITY,
    rules: {},
  });
});

test('takes each value once, without the spaces around it', () => {
  const { rules, threatTypes, description } = inputOf({
    name: 'Cards',
    description: ' Test cards ',
    action: 'redact',
    threat_types: ['pii_leak', 'pii_leak'],
    patterns: [{ name: 'order', pattern: 'A-[0-9]+' }],
    allowed_values: ['4111 1111 1111 1111 ', '4111 1111 1111 1111'],
  });
  assert.deepEqual(rules, {
    patterns: [{ name: 'order', pattern: 'A-[0-9]+' }],
    allowed_values: ['4111 1111 1111 1111'],
  });
  assert.deepEqual(threatTypes, ['pii_leak']);
  assert.equal(description, 'Test cards');
});
