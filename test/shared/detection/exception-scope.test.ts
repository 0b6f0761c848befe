import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { THREAT_TYPES } from '@csg/shared/contract';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, exceptedTypes, hostName, type NamedPolicy, scan } from '@csg/shared/detection';
import { lift } from '../../../shared/decision/verdict.ts';
import { finish } from '../../../shared/text/index.ts';

const POLICIES: readonly NamedPolicy[] = [
  { id: 'first', threatTypes: ['pii_leak', 'jailbreak'], fromPreset: false },
  { id: 'second', threatTypes: ['pii_leak', 'secret_leak'], fromPreset: false },
  { id: 'seeded', threatTypes: ['pii_leak', 'data_exfiltration'], fromPreset: true },
];
const types = (policyId: string | null, threat: string | null) =>
  exceptedTypes({ policyId, threat }, POLICIES, THREAT_TYPES);

describe('the scope of an exception', () => {
  test('with only a host: everything decided there', () => {
    assert.deepEqual(types(null, null), THREAT_TYPES);
  });

  test('with a threat: that threat, or nothing if unknown', () => {
    assert.deepEqual(types(null, 'pii_leak'), ['pii_leak']);
    assert.deepEqual(types(null, 'no_such_threat'), []);
  });

  test('with a policy: the types it decides, without those that an earlier policy decides', () => {
    assert.deepEqual(types('first', null), ['jailbreak', 'pii_leak']);
    assert.deepEqual(types('second', null), ['secret_leak']);
    assert.deepEqual(types('seeded', null), ['data_exfiltration']);
    assert.deepEqual(types('gone', null), []);
  });

  test('with both: their intersection', () => {
    assert.deepEqual(types('first', 'pii_leak'), ['pii_leak']);
    assert.deepEqual(types('second', 'pii_leak'), []);
  });
});

test('without a threat a scope is narrow unless it is for all findings', () => {
  const ofAttacks = exceptedTypes(
    { policyId: null, threat: null, allFindings: false },
    POLICIES,
    THREAT_TYPES,
  );
  assert.deepEqual(
    THREAT_TYPES.filter((type) => !ofAttacks.includes(type)),
    ['pii_leak', 'secret_leak', 'custom_policy'],
  );
  assert.deepEqual(
    exceptedTypes({ policyId: null, threat: 'pii_leak', allFindings: false }, POLICIES, THREAT_TYPES),
    ['pii_leak'],
  );
});

describe('an excepted finding', () => {
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

  const verdict = decideFindings(findings, ruleset, 'input');
  const BY = { kind: 'exception', id: 'exc_1' } as const;

  test('is reported and allowed, and nothing else', () => {
    assert.equal(verdict.decision, 'block');
    const excused = finish(lift(verdict, { by: BY, which: ({ type }) => type === 'pii_leak' }));
    assert.equal(excused.decision, 'allow');
    assert.deepEqual(
      excused.threats.map(({ type }) => type),
      ['pii_leak'],
    );
    const other = finish(lift(verdict, { by: BY, which: ({ type }) => type === 'secret_leak' }));
    assert.equal(other.decision, 'block');
  });

  test('is checked with the deciding policy, and only for findings that block', () => {
    const asked = new Set<string | null>();
    finish(lift(verdict, { by: BY, which: (_finding, policyId) => asked.add(policyId).size < 0 }));
    assert.deepEqual([...asked], ['p']);
    const open = compileRuleset({
      useCase: 'default',
      strictness: 'moderate',
      policies: [{ id: 'p', action: 'monitor', threatTypes: ['pii_leak'] }],
    });
    const monitored = decideFindings(findings, open, 'input');
    finish(lift(monitored, { by: BY, which: () => assert.fail('it was allowed anyway') }));
  });
});

test('hosts are compared without case, port and trailing dot', () => {
  for (const text of ['ChatGPT.com', 'chatgpt.com:443', ' chatgpt.com. ', 'CHATGPT.COM']) {
    assert.equal(hostName(text), 'chatgpt.com', text);
  }
  assert.notEqual(hostName('evil-chatgpt.com'), 'chatgpt.com');
});
