import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DIRECTIONS,
  POLICY_ACTIONS,
  type PolicyAction,
  type PolicyRules,
  TEXT_ROLES,
  THREAT_TYPES,
} from '@csg/shared/contract';
import { decideFindings } from '@csg/shared/decision';
import {
  compileRuleset,
  defaultPolicies,
  type Finding,
  type PolicyContext,
  type PolicyInput,
  resolveRuleset,
  textRoleOf,
} from '@csg/shared/detection';
import { SLOT_ROLES } from '@csg/shared/text';
import { seededRandom } from '../../../support/random.ts';

const ROUNDS = 3_000;
const TYPES = ['jailbreak', 'pii_leak', 'custom_policy', 'hidden_content'] as const;
const HOSTS = ['a.example', 'b.example'];
const random = seededRandom(20_261_121);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const some = <T>(list: readonly T[]): T[] => list.filter(() => random() < 0.4);

function makePolicy(id: string): PolicyInput {
  const conditions = {
    ...(random() < 0.3 ? { roles: some(TEXT_ROLES) } : {}),
    ...(random() < 0.3 ? { directions: some(DIRECTIONS) } : {}),
    ...(random() < 0.3 ? { hosts: some(HOSTS) } : {}),
    ...(random() < 0.2 ? { models: ['m*'] } : {}),
  };
  const rules: PolicyRules = { conditions, ...(random() < 0.2 ? { mode: 'monitor' } : {}) };
  return { id, action: pick(POLICY_ACTIONS), threatTypes: some(TYPES), rules };
}

/** The description in docs/policies.md, implemented literally and without precompiled tables. */
function contextOf(
  policies: readonly PolicyInput[],
  finding: Finding,
  policyContext: PolicyContext,
  direction: 'input' | 'output',
): PolicyAction {
  const role = textRoleOf(finding.role!);
  const fits = ({ rules }: PolicyInput): boolean => {
    const { roles = [], directions = [], hosts = [], models = [] } = rules?.conditions ?? {};
    return (
      (roles.length === 0 || roles.includes(role)) &&
      (directions.length === 0 || directions.includes(direction)) &&
      (hosts.length === 0 || hosts.includes(policyContext.host ?? '')) &&
      (models.length === 0 || (policyContext.model ?? '').startsWith('m'))
    );
  };
  const own = policies.find(({ id }) => id === finding.policyId);
  if (finding.policyId !== undefined && (own === undefined || !fits(own))) return 'allow';
  if (own?.rules?.mode === 'monitor') return 'monitor';
  for (const policy of policies) {
    if (!fits(policy) || policy.rules?.mode === 'monitor') continue;
    if (policy.threatTypes.includes(finding.type) || policy === own) return policy.action;
  }
  const preset = defaultPolicies('default', 'strict').find((row) => row.threat_types.includes(finding.type));
  if (direction === 'output') {
    if (finding.type === 'jailbreak') return 'allow';
    if (finding.type === 'hidden_content') return 'monitor';
  }
  return preset?.action ?? 'monitor';
}

test(`${ROUNDS} random sets of policies decide as documented`, () => {
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const policies = Array.from({ length: Math.floor(random() * 6) }, (_, n) => makePolicy(`pol_${n}`));
    const compiled = compileRuleset({ useCase: 'default', strictness: 'strict', policies });
    const policyContext: PolicyContext = {
      atMs: 0,
      host: pick([undefined, ...HOSTS]),
      model: pick([null, 'mini', 'other']),
    };
    const direction = pick(DIRECTIONS);
    const isOwn = policies.length > 0 && random() < 0.4;
    const finding: Finding = {
      slot: 0,
      start: 0,
      end: 1,
      type: isOwn ? 'custom_policy' : pick(TYPES),
      rule: 'x',
      confidence: 1,
      reason: '',
      role: pick(SLOT_ROLES),
      ...(isOwn ? { policyId: pick(policies).id } : {}),
    };
    assert.ok(THREAT_TYPES.includes(finding.type));
    const verdict = decideFindings([finding], resolveRuleset(compiled, policyContext), direction);
    const action = contextOf(policies, finding, policyContext, direction);
    const shown = JSON.stringify({ round, policies, finding, policyContext, direction, action });
    const due = action === 'block' || action === 'redact' ? action : 'allow';
    assert.equal(verdict.decision, due, shown);
    assert.equal(verdict.threats.length, action === 'allow' ? 0 : 1, shown);
    seen.add(`${action} ${finding.type} ${direction}`);
  }
  assert.ok(seen.size > 20, 'the rounds covered too few cases');
});
