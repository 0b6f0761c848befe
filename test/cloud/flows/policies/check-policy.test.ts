import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidationError } from '@csg/shared/contract';
import { finish } from '@csg/shared/text';
import { checkPolicy } from '../../../../apps/cloud/src/flows/policies/check-policy.ts';
import type { PolicyInput } from '../../../../apps/cloud/src/storage/storage.ts';

const POLICY: PolicyInput = { name: 'Test', action: 'block', threatTypes: ['pii_leak'], priority: 1 };
type Rules = NonNullable<PolicyInput['rules']>;

const check = (policy: PolicyInput) => finish(checkPolicy(policy));

/** The rejected fields; empty if the policy is accepted. */
function refusedAt(change: Partial<PolicyInput>): string[] {
  try {
    check({ ...POLICY, ...change });
    return [];
  } catch (error) {
    assert.ok(error instanceof ValidationError);
    for (const { msg } of error.detail) assert.match(msg, /^[A-Z].*\.$/s);
    return error.detail.map(({ loc }) => loc.slice(1).join('.'));
  }
}

const pattern = (text: string) => ({ name: 'P', pattern: text });
const named = [pattern('FALCON-[0-9]{4}')];

test('names each unusable field, and no other', () => {
  const cases: readonly (readonly [due: string[], change: Partial<PolicyInput>])[] = [
    [[], {}],
    [['name'], { name: '  ' }],
    [['threat_types'], { threatTypes: [] }],
    [['name', 'threat_types'], { name: '', threatTypes: [] }],
    [[], { threatTypes: [], rules: { patterns: named } }],
    [[], { threatTypes: [], rules: { blocked_domains: ['example.com'] } }],
    [[], { threatTypes: [], rules: { allowed_domains: ['example.com'] } }],
    [[], { threatTypes: [], rules: { flows: [{ tools: ['send'] }] } }],
    [['threat_types'], { threatTypes: [], rules: { patterns: [], flows: [] } }],
    [[], { action: 'allow' }],
    [['action'], { action: 'allow', rules: { patterns: named } }],
    [['patterns.1.pattern'], { rules: { patterns: [...named, pattern('(')] } }],
    [['patterns.0.pattern'], { rules: { patterns: [pattern('(?i)([a-z]{1,900} ){1,900}!'), ...named] } }],
  ];
  for (const [due, change] of cases) assert.deepEqual(refusedAt(change), due, JSON.stringify(change));
});

test('checks conditions, domains and values', () => {
  const schedule = (time_zone: string) => ({
    time_zone,
    windows: [{ days: ['mon' as const], from: '08:00', to: '17:00' }],
  });
  const cases: readonly (readonly [due: string[], rules: Rules])[] = [
    [[], { conditions: { schedule: schedule('Europe/Berlin') } }],
    [['conditions.schedule.time_zone'], { conditions: { schedule: schedule('Europe/Nowhere') } }],
    [[], { conditions: { min_confidence: 0.5, below_confidence: 0.6 } }],
    [['conditions.below_confidence'], { conditions: { min_confidence: 0.5, below_confidence: 0.5 } }],
    [['conditions.below_confidence'], { conditions: { min_confidence: 0.6, below_confidence: 0.5 } }],
    [[], { conditions: { min_confidence: 0.9 } }],
    [[], { conditions: { below_confidence: 0.1 } }],
    [
      [],
      { conditions: { hosts: ['api.openai.com', '*.openai.com', ' a.example:8443 ', '::1', '[::1]:80'] } },
    ],
    [
      ['conditions.hosts.0', 'conditions.hosts.2'],
      { conditions: { hosts: ['https://a.example', 'a.example', 'a.*.example'] } },
    ],
    [[], { blocked_domains: ['example.com', '*.example.com'], allowed_domains: ['bücher.example'] }],
    [
      ['blocked_domains.1', 'allowed_domains.0'],
      { blocked_domains: ['example.com', 'https://example.com'], allowed_domains: ['example.com/path'] },
    ],
    [[], { allowed_values: ['abc'] }],
    [['allowed_values.1'], { allowed_values: ['abc', ' ab '] }],
  ];
  for (const [due, rules] of cases) assert.deepEqual(refusedAt({ rules }), due, JSON.stringify(rules));
  for (const threatTypes of [['pii_leak'], ['secret_leak'], ['jailbreak', 'secret_leak']] as const) {
    assert.deepEqual(refusedAt({ threatTypes, rules: { allowed_values: ['abc'] } }), []);
  }
  assert.deepEqual(refusedAt({ threatTypes: ['jailbreak'], rules: { allowed_values: ['abc'] } }), [
    'allowed_values',
  ]);
});

test('requires sources or calls in flow rules, and no sources for counted calls', () => {
  const cases: readonly (readonly [due: string[], flow: NonNullable<Rules['flows']>[number]])[] = [
    [['flows.0'], {}],
    [['flows.0'], { tools: [] }],
    [[], { from: ['untrusted'] }],
    [[], { from_tools: ['search'] }],
    [[], { values: ['url'] }],
    [[], { effects: ['send'] }],
    [[], { tools: ['send'], max_calls: 3 }],
    [[], { effects: ['send'], max_calls: 3 }],
    [['flows.0.tools'], { max_calls: 3 }],
    [['flows.0.from'], { tools: ['send'], from: ['untrusted'], max_calls: 3 }],
    [
      ['flows.0.tools', 'flows.0.from', 'flows.0.from_tools', 'flows.0.values'],
      { from: ['untrusted'], from_tools: ['search'], values: ['url'], max_calls: 3 },
    ],
  ] as never;
  for (const [due, flow] of cases) {
    assert.deepEqual(refusedAt({ rules: { flows: [flow] } }), due, JSON.stringify(flow));
  }
  const flows = [{ tools: ['send'] }];
  assert.deepEqual(refusedAt({ action: 'redact', rules: { flows } }), ['action']);
  assert.deepEqual(refusedAt({ action: 'redact', rules: { flows: [] } }), []);
  assert.deepEqual(refusedAt({ action: 'monitor', rules: { flows } }), []);
});

test('warns of a pattern that matches every text if it blocks', () => {
  for (const text of ['', '.', '[a-z4你!]', 'x*']) {
    const patterns = [pattern(text), ...named];
    const codes = (action: PolicyInput['action']) =>
      check({ ...POLICY, action, rules: { patterns } }).map(({ code }) => code);
    assert.deepEqual([codes('block'), codes('monitor')], [['blocks_everything'], []], text);
  }
  assert.deepEqual(check({ ...POLICY, rules: { patterns: [pattern('[A-Z]'), ...named] } }), []);
});

test('tries many patterns in steps', () => {
  const patterns = Array.from({ length: 50 }, (_, n) => pattern(`[a-z]{1,${n + 1}} [0-9]{2}`));
  let steps = 0;
  const work = checkPolicy({ ...POLICY, rules: { patterns } });
  while (work.next().done !== true) steps++;
  assert.ok(steps >= patterns.length * 4, `${steps} steps`);
});
