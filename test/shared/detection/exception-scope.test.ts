import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { THREAT_TYPES } from '@csg/shared/contract';
import {
  compileRuleset,
  decide,
  exceptedTypes,
  hostName,
  type NamedPolicy,
  scan,
} from '@csg/shared/detection';

const POLICIES: readonly NamedPolicy[] = [
  { id: 'first', threatTypes: ['pii_leak', 'jailbreak'], fromPreset: false },
  { id: 'second', threatTypes: ['pii_leak', 'secret_leak'], fromPreset: false },
  { id: 'seeded', threatTypes: ['pii_leak', 'data_exfiltration'], fromPreset: true },
];
const types = (policyId: string | null, threat: string | null) =>
  exceptedTypes({ policyId, threat }, POLICIES, THREAT_TYPES);

describe('what an exception names', () => {
  test('nothing but a host: everything decided there', () => {
    assert.deepEqual(types(null, null), THREAT_TYPES);
  });

  test('a threat: that threat; one there is not: nothing', () => {
    assert.deepEqual(types(null, 'pii_leak'), ['pii_leak']);
    assert.deepEqual(types(null, 'no_such_threat'), []);
  });

  test('a policy: the types it decides, which are not those another policy decides before it', () => {
    assert.deepEqual(types('first', null), ['jailbreak', 'pii_leak']);
    assert.deepEqual(types('second', null), ['secret_leak']);
    assert.deepEqual(types('seeded', null), ['data_exfiltration']);
    assert.deepEqual(types('gone', null), []);
  });

  test('both: where they meet', () => {
    assert.deepEqual(types('first', 'pii_leak'), ['pii_leak']);
    assert.deepEqual(types('second', 'pii_leak'), []);
  });
});

describe('what is excused', () => {
  const ruleset = compileRuleset({
    useCase: 'default',
    strictness: 'moderate',
    policies: [{ id: 'p', action: 'block', threatTypes: ['pii_leak', 'secret_leak'] }],
  });
  const findings = scan(
    [{ path: '/t', role: 'user', text: 'Mail ana.lopez@example.com, SSN 536-22-8726 please.' }],
    ruleset,
    'input',
  );

  test('is reported and allowed, and nothing else', () => {
    assert.equal(decide(findings, ruleset, 'input').decision, 'block');
    const excused = decide(findings, ruleset, 'input', { isExcused: ({ type }) => type === 'pii_leak' });
    assert.equal(excused.decision, 'allow');
    assert.deepEqual(
      excused.threats.map(({ type }) => type),
      ['pii_leak'],
    );
    assert.equal(
      decide(findings, ruleset, 'input', { isExcused: ({ type }) => type === 'secret_leak' }).decision,
      'block',
    );
  });

  test('is asked for with the policy that decides, and only where something is refused', () => {
    const asked = new Set<string | null>();
    decide(findings, ruleset, 'input', { isExcused: (_finding, policyId) => asked.add(policyId).size < 0 });
    assert.deepEqual([...asked], ['p']);
    const open = compileRuleset({
      useCase: 'default',
      strictness: 'moderate',
      policies: [{ id: 'p', action: 'monitor', threatTypes: ['pii_leak'] }],
    });
    decide(findings, open, 'input', { isExcused: () => assert.fail('it was allowed anyway') });
  });
});

test('hosts are compared without case, port and final dot', () => {
  for (const text of ['ChatGPT.com', 'chatgpt.com:443', ' chatgpt.com. ', 'CHATGPT.COM']) {
    assert.equal(hostName(text), 'chatgpt.com', text);
  }
  assert.notEqual(hostName('evil-chatgpt.com'), 'chatgpt.com');
});
