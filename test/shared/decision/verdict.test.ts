import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STRICTNESS_LEVELS, THREAT_TYPES, USE_CASES } from '../../../shared/contract/index.ts';
import { decideFindings } from '../../../shared/decision/index.ts';
import {
  compileRuleset,
  defaultPolicies,
  type Finding,
  listPresets,
  parsePreset,
} from '../../../shared/detection/index.ts';

function finding(type: Finding['type'], confidence: number): Finding {
  const pii = type === 'pii_leak' ? { pii: 'email' as const, placeholder: '[EMAIL]' } : {};
  return { slot: 0, start: 0, end: 5, type, rule: 'test', confidence, reason: 'Because.', ...pii };
}

const moderate = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });

test('without a finding the decision is allow', () => {
  const verdict = decideFindings([], moderate, 'input');
  assert.equal(verdict.decision, 'allow');
  assert.equal(verdict.threatType, null);
  assert.equal(verdict.confidence, 0);
});

test('block takes precedence over redact, and only redact has replacements', () => {
  const both = decideFindings([finding('pii_leak', 0.9), finding('jailbreak', 0.8)], moderate, 'input');
  assert.equal(both.decision, 'block');
  assert.equal(both.threatType, 'jailbreak');
  assert.deepEqual(
    both.threats.map((threat) => threat.type),
    ['pii_leak', 'jailbreak'],
  );
  assert.equal(both.replacements.size, 0);
  const one = decideFindings([finding('pii_leak', 0.9)], moderate, 'input');
  assert.equal(one.decision, 'redact');
  assert.deepEqual(one.replacements.get(0), [{ start: 0, end: 5, text: '[EMAIL]' }]);
});

test('strictness moves the threshold', () => {
  const decisions = STRICTNESS_LEVELS.map((strictness) => {
    const ruleset = compileRuleset({ useCase: 'default', strictness, policies: [] });
    return decideFindings([finding('prompt_injection', 0.6)], ruleset, 'input').decision;
  });
  assert.deepEqual(decisions, ['block', 'block', 'allow']);
});

test('tool calls have their own thresholds: higher under strict, much higher for code assistants', () => {
  const decisionOf = (
    useCase: 'default' | 'code_assistant',
    strictness: 'strict' | 'moderate',
    score: number,
  ) =>
    decideFindings(
      [finding('unsafe_tool_call', score)],
      compileRuleset({ useCase, strictness, policies: [] }),
      'input',
    ).decision;
  assert.deepEqual(
    [0.3, 0.36].map((score) => decisionOf('default', 'strict', score)),
    ['allow', 'block'],
  );
  assert.deepEqual(
    [0.75, 0.85].map((score) => decisionOf('code_assistant', 'moderate', score)),
    ['allow', 'block'],
  );
});

test('a policy that redacts attacks withholds instructions in untrusted data', () => {
  const policies = [{ id: 'pol_1', action: 'redact' as const, threatTypes: ['prompt_injection' as const] }];
  const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies });
  const inData = {
    ...finding('prompt_injection', 0.9),
    withheld: [{ start: 0, end: 5, scope: { start: 0, end: 5 } }],
  };
  const verdict = decideFindings([inData], ruleset, 'input');
  assert.equal(verdict.decision, 'redact');
  assert.deepEqual(
    verdict.findings.map(({ isWithheld }) => isWithheld),
    [true],
  );
  assert.equal(
    decideFindings([finding('prompt_injection', 0.9)], ruleset, 'input').findings[0]?.isWithheld,
    undefined,
  );
});

test('the highest policy that names a type decides; monitor reports and allows', () => {
  const ruleset = compileRuleset({
    useCase: 'default',
    strictness: 'moderate',
    policies: [
      { id: 'pol_1', action: 'monitor', threatTypes: ['jailbreak'] },
      { id: 'pol_2', action: 'block', threatTypes: ['jailbreak', 'pii_leak'] },
      { id: 'pol_3', action: 'allow', threatTypes: ['secret_leak'] },
    ],
  });
  const watched = decideFindings([finding('jailbreak', 0.9)], ruleset, 'input');
  assert.equal(watched.decision, 'allow');
  assert.deepEqual(
    watched.threats.map((threat) => threat.type),
    ['jailbreak'],
  );
  assert.equal(decideFindings([finding('pii_leak', 0.9)], ruleset, 'input').decision, 'block');
  assert.equal(decideFindings([finding('secret_leak', 0.9)], ruleset, 'input').threats.length, 0);
});

test('parses presets: bare names, composed names and nothing else', () => {
  assert.deepEqual(parsePreset('strict'), { useCase: 'default', strictness: 'strict' });
  assert.deepEqual(parsePreset('support_bot'), { useCase: 'support_bot', strictness: 'moderate' });
  assert.deepEqual(parsePreset('default'), { useCase: 'default', strictness: 'moderate' });
  assert.deepEqual(parsePreset('rag_system:permissive'), { useCase: 'rag_system', strictness: 'permissive' });
  for (const name of [
    'permissive',
    'moderate',
    '',
    'default:',
    ':strict',
    'default:strict:x',
    'toString',
    'Default',
  ]) {
    assert.equal(parsePreset(name), undefined, name);
  }
  assert.equal(listPresets().length, 3 + USE_CASES.length * STRICTNESS_LEVELS.length);
  for (const name of listPresets()) assert.ok(parsePreset(name) !== undefined, name);
});

test('default policies are ordered highest first and name each type at most once', () => {
  for (const useCase of USE_CASES) {
    for (const strictness of STRICTNESS_LEVELS) {
      const policies = defaultPolicies(useCase, strictness);
      const priorities = policies.map((policy) => policy.priority);
      assert.deepEqual(
        priorities,
        [...priorities].sort((a, b) => b - a),
      );
      const types = policies.flatMap((policy) => policy.threat_types);
      assert.equal(new Set(types).size, types.length);
      for (const type of types) assert.ok(THREAT_TYPES.includes(type));
    }
  }
});

test('names of default policies begin with their action on prompts', () => {
  const verbs = { block: 'Block', redact: 'Mask', monitor: 'Monitor' } as const;
  for (const useCase of USE_CASES) {
    for (const strictness of STRICTNESS_LEVELS) {
      const ruleset = compileRuleset({ useCase, strictness, policies: [] });
      for (const { name, threat_types: types } of defaultPolicies(useCase, strictness)) {
        for (const type of types) {
          const found = {
            ...finding(type, 0.99),
            withheld: [{ start: 0, end: 5, scope: { start: 0, end: 5 } }],
          };
          const act = (one: Finding, untrustedData?: 'withhold' | 'monitor') =>
            decideFindings([one], ruleset, 'input', untrustedData && untrustedData).decision;
          if (name.startsWith('Protect')) {
            assert.deepEqual([act(found, 'withhold'), act(found, 'monitor')], ['redact', 'allow']);
            continue;
          }
          const plain = finding(type, 0.99);
          const decision = act(type === 'pii_leak' ? { ...plain, pii: 'ssn' } : plain);
          const action = decision === 'allow' ? 'monitor' : decision;
          assert.equal(name.split(' ')[0], verbs[action], `${useCase}:${strictness} ${type}`);
        }
      }
    }
  }
});

test('replaces only findings that have to be masked', () => {
  const ruleset = compileRuleset({
    useCase: 'default',
    strictness: 'moderate',
    policies: [{ id: 'pol_1', action: 'monitor', threatTypes: ['secret_leak'] }],
  });
  const secret = { ...finding('secret_leak', 0.9), start: 10, end: 20, placeholder: '[API_KEY]' };
  const verdict = decideFindings([finding('pii_leak', 0.9), secret], ruleset, 'input');
  assert.equal(verdict.decision, 'redact');
  assert.deepEqual([...verdict.replacements], [[0, [{ start: 0, end: 5, text: '[EMAIL]' }]]]);
  assert.equal(verdict.findings.length, 2);
});

test('a finding exactly at the threshold counts, one below it does not', () => {
  for (const strictness of STRICTNESS_LEVELS) {
    const ruleset = compileRuleset({ useCase: 'default', strictness, policies: [] });
    for (const type of ['pii_leak', 'prompt_injection'] as const) {
      const threshold = ruleset.input.thresholds.get(type)!;
      assert.equal(decideFindings([finding(type, threshold)], ruleset, 'input').threatType, type);
      assert.equal(decideFindings([finding(type, threshold - 0.001)], ruleset, 'input').threatType, null);
    }
  }
});
