import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyConditions } from '@csg/shared/contract';
import {
  compileContext,
  isSituational,
  matchesDirection,
  matchesPii,
  matchesRole,
  type PolicyContext,
  textRoleOf,
} from '../../../../shared/detection/policies/conditions.ts';
import { SLOT_ROLES } from '../../../../shared/text/index.ts';

const fits = (conditions: PolicyConditions | undefined, policyContext: Partial<PolicyContext>) =>
  compileContext(conditions)({ atMs: 0, ...policyContext });

describe('conditions', () => {
  test('an absent or empty condition always matches and needs no context', () => {
    for (const conditions of [undefined, {}, { hosts: [], models: [], roles: [], directions: [] }]) {
      assert.equal(isSituational(conditions), false);
      assert.equal(fits(conditions, {}), true);
      assert.equal(matchesDirection(conditions, 'output'), true);
      assert.equal(matchesRole(conditions, undefined), true);
    }
  });

  test('personal data types restrict findings of personal data, and no others', () => {
    const conditions: PolicyConditions = { pii_types: ['credit_card'] };
    assert.equal(matchesPii(conditions, 'credit_card'), true);
    assert.equal(matchesPii(conditions, 'email'), false);
    assert.equal(matchesPii(conditions, undefined), true, 'a jailbreak has no such type');
    assert.equal(matchesPii({ pii_types: [] }, 'email'), true);
    assert.equal(isSituational(conditions), false);
  });

  test('a host matches by name, or by its suffix after *.', () => {
    const hosts = ['api.openai.com', '*.example.com'];
    assert.equal(fits({ hosts }, { host: 'API.OpenAI.com:443' }), true);
    assert.equal(fits({ hosts }, { host: 'a.b.example.com' }), true);
    assert.equal(fits({ hosts }, { host: 'example.com' }), false);
    assert.equal(fits({ hosts }, { host: 'evilexample.com' }), false);
    assert.equal(fits({ hosts }, { host: 'openai.com' }), false);
    assert.equal(fits({ hosts }, {}), false, 'an unknown destination matches none');
  });

  test('a model matches a pattern in which * matches anything', () => {
    const model = (pattern: string, name: string | null) => fits({ models: [pattern] }, { model: name });
    assert.equal(model('gpt-4*', 'gpt-4o-mini'), true);
    assert.equal(model('gpt-4*', 'my-gpt-4'), false);
    assert.equal(model('*mini', 'GPT-4o-Mini'), true);
    assert.equal(model('a*b*c', 'a-b-c'), true);
    assert.equal(model('a*b*c', 'a-c-b'), false);
    assert.equal(model('ab*ba', 'aba'), false, 'a suffix may not overlap the prefix');
    assert.equal(model('*', ''), true);
    assert.equal(model('claude', 'claude-3'), false);
    assert.equal(model('claude', null), false);
    assert.equal(model(`${'a*'.repeat(200)}b`, 'a'.repeat(50_000)), false, 'in linear time');
  });

  test('all given conditions have to match', () => {
    const both = { providers: ['openai'], models: ['gpt*'] };
    assert.equal(fits(both, { provider: 'openai', model: 'gpt-5' }), true);
    assert.equal(fits(both, { provider: 'anthropic', model: 'gpt-5' }), false);
    assert.equal(fits(both, { provider: 'openai', model: 'o5' }), false);
  });

  test('every kind of text has a role that policies can name', () => {
    assert.deepEqual(
      SLOT_ROLES.map((role) => textRoleOf(role)),
      [
        'system',
        'user',
        'assistant',
        'assistant',
        'tool',
        'document',
        'system',
        'other',
        'other',
        'other',
        'other',
      ],
    );
    assert.equal(matchesRole({ roles: ['tool'] }, 'tool'), true);
    assert.equal(matchesRole({ roles: ['tool'] }, 'user'), false);
    assert.equal(matchesRole({ roles: ['tool'] }, undefined), false);
  });
});
