import type { Direction, PiiType, PolicyAction, ThreatType } from '../contract/index.ts';
import { THREAT_TYPES } from '../contract/index.ts';
import { defaultPolicies, PII_THRESHOLDS, STRICTNESS_THRESHOLDS, USE_CASE_ROWS } from './presets.ts';
import type { RulesetInput } from './types.ts';

export interface DirectionRules {
  readonly actions: ReadonlyMap<ThreatType, PolicyAction>;
  readonly thresholds: ReadonlyMap<ThreatType, number>;
  /** Which of the six kinds are acted on; the others are not looked for. */
  readonly pii: ReadonlySet<PiiType>;
}

/** A compiled policy version. Hold on to it: compile once, scan often. */
export interface Ruleset {
  readonly input: DirectionRules;
  readonly output: DirectionRules;
}

/** In answers only what does harm on its way out is refused: talk about attacks is not one. */
const OUTPUT_ACTIONS: Readonly<Partial<Record<ThreatType, PolicyAction>>> = {
  secret_leak: 'block',
  pii_leak: 'redact',
  system_prompt_leak: 'block',
  malicious_script: 'block',
  data_exfiltration: 'block',
  prompt_injection: 'allow',
  instruction_override: 'allow',
  jailbreak: 'allow',
  indirect_prompt_injection: 'allow',
  hidden_content: 'monitor',
};

const OUTPUT_MIN_CONFIDENCE = 0.7;

/** Once per policy version. Policies override the preset per threat type; the first that names a type wins. */
export function compileRuleset(input: RulesetInput): Ruleset {
  return { input: compileDirection(input, 'input'), output: compileDirection(input, 'output') };
}

function compileDirection(input: RulesetInput, direction: Direction): DirectionRules {
  const row = USE_CASE_ROWS[input.useCase];
  const actions = new Map<ThreatType, PolicyAction>();
  for (const policy of defaultPolicies(input.useCase, input.strictness)) {
    for (const type of policy.threat_types) actions.set(type, policy.action);
  }
  if (direction === 'output') {
    for (const type of THREAT_TYPES) {
      const action = OUTPUT_ACTIONS[type];
      if (action !== undefined) actions.set(type, action);
    }
  }
  const overridden = new Set<ThreatType>();
  for (const policy of input.policies) {
    for (const type of policy.threatTypes) {
      if (overridden.has(type)) continue;
      overridden.add(type);
      actions.set(type, policy.action);
    }
  }
  const attack = Math.min(0.95, Math.max(0.1, STRICTNESS_THRESHOLDS[input.strictness] + row.attackShift));
  const thresholds = new Map<ThreatType, number>();
  for (const type of THREAT_TYPES) {
    if (type === 'pii_leak' || type === 'secret_leak') thresholds.set(type, PII_THRESHOLDS[input.strictness]);
    else thresholds.set(type, direction === 'output' ? Math.max(OUTPUT_MIN_CONFIDENCE, attack) : attack);
  }
  return { actions, thresholds, pii: new Set(direction === 'input' ? row.inputPii : row.outputPii) };
}
