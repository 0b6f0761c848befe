import type { Direction, PolicyAction, TextRole, ThreatType } from '../contract/index.ts';
import { TEXT_ROLES, THREAT_TYPES } from '../contract/index.ts';
import type { SensitiveType } from './pii/registry.ts';
import {
  fitsDirection,
  fitsRole,
  fitsSituation,
  isSituational,
  type Situation,
  textRoleOf,
} from './policies/conditions.ts';
import { type CustomRules, compileCustom } from './policies/custom-rules.ts';
import { defaultPolicies, developerPii, presetThreshold, USE_CASE_ROWS } from './presets.ts';
import type { Finding, PolicyInput, RulesetInput } from './types.ts';

/** What is done about what was found. */
export interface Actions {
  readonly actions: ReadonlyMap<ThreatType, PolicyAction>;
  /** Which policy decides a threat type; not there: the preset. */
  readonly deciders: ReadonlyMap<ThreatType, string>;
  /** About what a policy looked for itself; not there: nothing. */
  readonly own: ReadonlyMap<string, Decider>;
}

export interface Decider {
  readonly action: PolicyAction;
  readonly policyId: string;
}

export interface DirectionRules extends Actions {
  readonly thresholds: ReadonlyMap<ThreatType, number>;
  /** Which types are acted on; the others are not looked for. */
  readonly pii: ReadonlySet<SensitiveType>;
  /** Which types presets act on in the developer's own words, too; the others they report there. */
  readonly developerPii: ReadonlySet<SensitiveType>;
  /** Set where policies ask whose words a text is. */
  readonly byRole: ReadonlyMap<TextRole, Actions> | null;
}

/** A compiled policy version. Hold on to it: compile once, scan often. */
export interface Ruleset {
  readonly input: DirectionRules;
  readonly output: DirectionRules;
  /** What customers' policies look for; null: nothing. */
  readonly custom: CustomRules | null;
  readonly asksForRoles: boolean;
  /** Set where policies ask for a place or a time: `situate` works out which of them count. */
  readonly situational: Situational | null;
}

interface Situational {
  readonly input: RulesetInput;
  readonly policies: readonly PolicyInput[];
  /** By which of them count, as compiled before. */
  readonly variants: Map<string, Ruleset>;
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

const MAX_VARIANTS = 64;

/**
 * Once per policy version. Policies override the preset per threat type; the first that names a type and whose
 * conditions fit wins. One that asks for a place or a time counts for nothing until `situate` says so.
 */
export function compileRuleset(input: RulesetInput): Ruleset {
  const policies = input.policies.filter(({ rules }) => isSituational(rules?.conditions));
  const situational =
    policies.length === 0 ? null : { input, policies, variants: new Map<string, Ruleset>() };
  return compile(input, compileCustom(input.policies), situational, () => false);
}

/** The ruleset as it counts for a request: where it goes, and when. */
export function situate(ruleset: Ruleset, situation: Situation): Ruleset {
  const { situational } = ruleset;
  if (situational === null) return ruleset;
  const fitting = situational.policies.filter(({ rules }) => fitsSituation(rules?.conditions, situation));
  if (fitting.length === 0) return ruleset;
  const name = fitting.map(({ id }) => id).join();
  let variant = situational.variants.get(name);
  if (variant === undefined) {
    variant = compile(situational.input, ruleset.custom, null, (policy) => fitting.includes(policy));
    if (situational.variants.size >= MAX_VARIANTS) situational.variants.clear();
    situational.variants.set(name, variant);
  }
  return variant;
}

/** What is to be done about a finding, and which policy says so; null: the preset. */
export function decideFinding(
  rules: DirectionRules,
  { type, role, policyId, reportOnly }: Pick<Finding, 'type' | 'role' | 'policyId' | 'reportOnly'>,
): { readonly action: PolicyAction; readonly policyId: string | null } {
  const set = (role === undefined ? undefined : rules.byRole?.get(textRoleOf(role))) ?? rules;
  if (policyId !== undefined) return set.own.get(policyId) ?? { action: 'allow', policyId: null };
  const decider = set.deciders.get(type) ?? null;
  if (decider === null && reportOnly === true) return { action: 'monitor', policyId: null };
  return { action: set.actions.get(type) ?? 'monitor', policyId: decider };
}

function compile(
  input: RulesetInput,
  custom: CustomRules | null,
  situational: Situational | null,
  isFitting: (policy: PolicyInput) => boolean,
): Ruleset {
  const counting = input.policies.filter(
    (policy) => !isSituational(policy.rules?.conditions) || isFitting(policy),
  );
  const asksForRoles = input.policies.some(({ rules }) => (rules?.conditions?.roles?.length ?? 0) > 0);
  return {
    input: compileDirection(input, counting, asksForRoles, 'input'),
    output: compileDirection(input, counting, asksForRoles, 'output'),
    custom,
    asksForRoles,
    situational,
  };
}

function compileDirection(
  input: RulesetInput,
  counting: readonly PolicyInput[],
  asksForRoles: boolean,
  direction: Direction,
): DirectionRules {
  const row = USE_CASE_ROWS[input.useCase];
  const preset = new Map<ThreatType, PolicyAction>();
  for (const policy of defaultPolicies(input.useCase, input.strictness)) {
    for (const type of policy.threat_types) preset.set(type, policy.action);
  }
  if (direction === 'output') {
    for (const type of THREAT_TYPES) {
      const action = OUTPUT_ACTIONS[type];
      if (action !== undefined) preset.set(type, action);
    }
  }
  const policies = counting.filter(({ rules }) => fitsDirection(rules?.conditions, direction));
  const forRole = (role: TextRole | undefined): Actions =>
    compileActions(
      preset,
      policies.filter(({ rules }) => fitsRole(rules?.conditions, role)),
    );
  const thresholds = new Map(
    THREAT_TYPES.map((type) => [type, presetThreshold(input.useCase, input.strictness, direction, type)]),
  );
  return {
    ...forRole(undefined),
    byRole: asksForRoles ? new Map(TEXT_ROLES.map((role) => [role, forRole(role)])) : null,
    thresholds,
    pii: new Set(direction === 'input' ? row.inputPii : row.outputPii),
    developerPii: developerPii(input.strictness),
  };
}

/** `policies`: those that count, highest priority first. */
function compileActions(
  preset: ReadonlyMap<ThreatType, PolicyAction>,
  policies: readonly PolicyInput[],
): Actions {
  const actions = new Map(preset);
  const deciders = new Map<ThreatType, string>();
  const own = new Map<string, Decider>();
  for (const { id, action, threatTypes, rules } of policies) {
    // One that only watches decides nothing, and tells what it finds itself.
    const isWatching = rules?.mode === 'monitor';
    // A policy before it that names custom_policy decides over what it finds.
    const above = isWatching ? undefined : deciders.get('custom_policy');
    own.set(id, {
      action: isWatching
        ? 'monitor'
        : above === undefined
          ? action
          : (actions.get('custom_policy') ?? action),
      policyId: above ?? id,
    });
    if (isWatching) continue;
    for (const type of threatTypes) {
      if (deciders.has(type)) continue;
      deciders.set(type, id);
      actions.set(type, action);
    }
  }
  return { actions, deciders, own };
}
