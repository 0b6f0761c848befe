import type { Direction, PolicyAction } from '../contract/index.ts';
import { THREAT_TYPES, type ThreatType } from '../vocabulary/index.ts';
import { DECISION } from './operating-points/decisions.ts';
import { isOptIn, type OptInType, type SensitiveType } from './pii/registry.ts';
import { type AllowedValues, compileAllowedValues } from './policies/allowed-values.ts';
import {
  compileContext,
  isAboutFindings,
  isSituational,
  matchesDirection,
  matchesFinding,
  matchesPii,
  matchesRole,
  type PolicyContext,
  textRoleOf,
} from './policies/conditions.ts';
import { type CustomRules, compileCustom } from './policies/custom-rules.ts';
import {
  codeRow,
  defaultPolicies,
  developerPii,
  type PresetRow,
  presetThreshold,
  USE_CASE_ROWS,
} from './presets.ts';
import type { Finding, PolicyInput, RulesetInput } from './types.ts';

/** The actions for findings. */
export interface Actions {
  readonly actions: ReadonlyMap<ThreatType, PolicyAction>;
  /** The policy that decides a threat type; absent: the preset decides. */
  readonly deciders: ReadonlyMap<ThreatType, string>;
  /** The decider for the findings of each policy's own patterns; absent: nothing is done. */
  readonly own: ReadonlyMap<string, Decider>;
}

export interface Decider {
  readonly action: PolicyAction;
  readonly policyId: string;
}

export interface DirectionRules extends Actions {
  readonly thresholds: ReadonlyMap<ThreatType, number>;
  /** The types that are detected: those that the preset acts on, and those that a policy names. */
  readonly pii: ReadonlySet<SensitiveType>;
  /** The types among them that are detected only because a policy names them. */
  readonly optIn: readonly OptInType[];
  /** The types that the preset acts on; only policies decide about all others. */
  readonly preset: PresetPii;
  /** The same for the output of tools for files or commands. */
  readonly codePreset: PresetPii;
  /** The types that presets also act on in the developer's own words; others are only reported there. */
  readonly developerPii: ReadonlySet<SensitiveType>;
  /** Set if policies have conditions on roles, types of personal data, rules or confidences: the actions for a finding. */
  readonly actionsFor: ((finding: FindingKind) => Actions) | null;
  /** Policies with a minimum confidence of their own, which replaces the preset's threshold. */
  readonly ownThresholds: ReadonlySet<string>;
}

type FindingKind = Pick<
  Finding,
  'type' | 'role' | 'pii' | 'policyId' | 'reportOnly' | 'isExample' | 'isInCode' | 'allowedBy'
> &
  Partial<Pick<Finding, 'rule' | 'confidence'>>;

/** Personal data and secrets that a preset acts on. */
export interface PresetPii {
  readonly types: ReadonlySet<SensitiveType>;
  readonly actsOnExamples: boolean;
}

/** A compiled policy version. Keep it: compile once, scan often. */
export interface Ruleset {
  readonly input: DirectionRules;
  readonly output: DirectionRules;
  /** The patterns and domains of customers' policies; null: none. */
  readonly custom: CustomRules | null;
  /** Values of personal data and secrets that policies allow; null: none. */
  readonly allowedValues: AllowedValues | null;
  readonly asksForRoles: boolean;
  /** True if a policy has conditions on rules or confidences, which are known only once a text is complete. */
  readonly asksForFindings: boolean;
  /** Set if policies have conditions on place or time: `resolveRuleset` decides which of them apply. */
  readonly contextual: Contextual | null;
  /** Results of the learned models below this confidence are not findings. */
  readonly leastConfidence: number;
}

/** Lower confidences of the learned models carry no information worth storing. */
export const MIN_CONFIDENCE = DECISION.leastFinding;

interface Contextual {
  readonly input: RulesetInput;
  readonly policies: readonly {
    readonly policy: PolicyInput;
    readonly counts: (policyContext: PolicyContext) => boolean;
  }[];
  /** Compiled rulesets by the ids of the policies that apply. */
  readonly variants: Map<string, Ruleset>;
}

/** In responses only threats that do harm on their way out are blocked; text about attacks is not one of them. */
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
const MAX_FINDING_KINDS = 256;

/**
 * Compiles a policy version; call it once per version. Policies override the preset per threat type: the first that
 * names a type and whose conditions match wins. A policy with conditions on place or time is inactive until
 * `resolveRuleset` activates it.
 */
export function compileRuleset(input: RulesetInput): Ruleset {
  const policies = input.policies
    .filter(({ rules }) => isSituational(rules?.conditions))
    .map((policy) => ({ policy, counts: compileContext(policy.rules?.conditions) }));
  const contextual = policies.length === 0 ? null : { input, policies, variants: new Map<string, Ruleset>() };
  return compile(input, compileCustom(input.policies), contextual, () => false);
}

/** Returns the ruleset that applies to a request with this place and time. */
export function resolveRuleset(ruleset: Ruleset, policyContext: PolicyContext): Ruleset {
  const { contextual } = ruleset;
  if (contextual === null) return ruleset;
  const fitting = contextual.policies
    .filter(({ counts }) => counts(policyContext))
    .map(({ policy }) => policy);
  if (fitting.length === 0) return ruleset;
  const name = fitting.map(({ id }) => id).join();
  let variant = contextual.variants.get(name);
  if (variant === undefined) {
    variant = compile(contextual.input, ruleset.custom, null, (policy) => fitting.includes(policy));
    if (contextual.variants.size >= MAX_VARIANTS) contextual.variants.clear();
    contextual.variants.set(name, variant);
  }
  return variant;
}

const ALLOWED = { action: 'allow', policyId: null } as const;

/** Returns the action for a finding and the policy that decides it; null: the preset. */
export function decideFinding(
  rules: DirectionRules,
  finding: FindingKind,
): { readonly action: PolicyAction; readonly policyId: string | null } {
  const { type, pii, policyId, reportOnly, isExample, isInCode, allowedBy } = finding;
  const set = rules.actionsFor?.(finding) ?? rules;
  if (policyId !== undefined) return set.own.get(policyId) ?? ALLOWED;
  const decider = set.deciders.get(type) ?? null;
  if (decider !== null && allowedBy?.includes(decider) === true)
    return { action: 'allow', policyId: decider };
  const preset = isInCode === true ? rules.codePreset : rules.preset;
  const lookedFor = decider === null ? preset.types : rules.pii;
  if (type === 'pii_leak' && pii !== undefined && !lookedFor.has(pii)) return ALLOWED;
  const action = set.actions.get(type) ?? 'monitor';
  if (decider !== null) return { action, policyId: decider };
  if (isExample === true && !preset.actsOnExamples) return ALLOWED;
  return { action: reportOnly === true ? 'monitor' : action, policyId: null };
}

/** Returns the confidence from which the decision about a finding takes effect. */
export function thresholdOf(rules: DirectionRules, type: ThreatType, policyId: string | null): number {
  if (policyId !== null && rules.ownThresholds.has(policyId)) return 0;
  return rules.thresholds.get(type) ?? 1;
}

function compile(
  input: RulesetInput,
  custom: CustomRules | null,
  contextual: Contextual | null,
  isFitting: (policy: PolicyInput) => boolean,
): Ruleset {
  const counting = input.policies.filter(
    (policy) => !isSituational(policy.rules?.conditions) || isFitting(policy),
  );
  const asksForRoles = input.policies.some(({ rules }) => (rules?.conditions?.roles?.length ?? 0) > 0);
  return {
    input: compileDirection(input, counting, 'input'),
    output: compileDirection(input, counting, 'output'),
    custom,
    allowedValues: compileAllowedValues(input.policies),
    asksForRoles,
    asksForFindings: input.policies.some(({ rules }) => isAboutFindings(rules?.conditions)),
    contextual,
    leastConfidence: input.leastConfidence ?? MIN_CONFIDENCE,
  };
}

function compileDirection(
  input: RulesetInput,
  counting: readonly PolicyInput[],
  direction: Direction,
): DirectionRules {
  const presetPii = presetOf(USE_CASE_ROWS[input.useCase], direction);
  const pii = new Set([...presetPii.types, ...namedPii(input.policies, direction)]);
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
  const policies = counting.filter(({ rules }) => matchesDirection(rules?.conditions, direction));
  const thresholds = new Map(
    THREAT_TYPES.map((type) => [type, presetThreshold(input.useCase, input.strictness, direction, type)]),
  );
  return {
    ...compileActions(
      preset,
      policies.filter((policy) => fitsKind(policy, {})),
    ),
    actionsFor: compileFindingActions(preset, policies),
    ownThresholds: new Set(
      policies.filter(({ rules }) => rules?.conditions?.min_confidence !== undefined).map(({ id }) => id),
    ),
    thresholds,
    pii,
    optIn: [...pii].filter(isOptIn),
    preset: presetPii,
    codePreset: presetOf(codeRow(input.useCase), direction),
    developerPii: developerPii(input.strictness),
  };
}

function presetOf({ inputPii, outputPii, actsOnExamples }: PresetRow, direction: Direction): PresetPii {
  return { types: new Set(direction === 'input' ? inputPii : outputPii), actsOnExamples };
}

/** True if a policy applies to a finding, as far as the given properties decide. */
function fitsKind(
  { rules }: PolicyInput,
  finding: Partial<Pick<Finding, 'role' | 'pii' | 'rule' | 'confidence'>>,
): boolean {
  const conditions = rules?.conditions;
  const role = finding.role && textRoleOf(finding.role);
  return (
    matchesRole(conditions, role) &&
    matchesPii(conditions, finding.pii) &&
    matchesFinding(conditions, finding)
  );
}

/** Returns null if no policy has conditions on properties of a finding or on the author of its text. */
function compileFindingActions(
  preset: ReadonlyMap<ThreatType, PolicyAction>,
  policies: readonly PolicyInput[],
): DirectionRules['actionsFor'] {
  const has = (name: 'roles' | 'pii_types') =>
    policies.some(({ rules }) => (rules?.conditions?.[name]?.length ?? 0) > 0);
  const narrow = policies.filter(({ rules }) => isAboutFindings(rules?.conditions));
  if (!has('roles') && !has('pii_types') && narrow.length === 0) return null;
  const compiled = new Map<string, Actions>();
  return (finding) => {
    const { role, pii } = finding;
    const fitting = narrow.filter((policy) => matchesFinding(policy.rules?.conditions, finding));
    const kind = `${(role && textRoleOf(role)) ?? ''} ${pii ?? ''} ${fitting.map(({ id }) => id).join()}`;
    let actions = compiled.get(kind);
    if (actions === undefined) {
      if (compiled.size >= MAX_FINDING_KINDS) compiled.clear();
      actions = compileActions(
        preset,
        policies.filter((policy) => fitsKind(policy, finding)),
      );
      compiled.set(kind, actions);
    }
    return actions;
  };
}

/** Returns the types that policies name: they are detected even if the preset does not act on them. */
function namedPii(policies: readonly PolicyInput[], direction: Direction): readonly SensitiveType[] {
  return policies
    .filter(({ rules }) => matchesDirection(rules?.conditions, direction))
    .flatMap(({ rules }) => rules?.conditions?.pii_types ?? []);
}

/** Compiles the actions of `policies`: those that apply, highest priority first. */
function compileActions(
  preset: ReadonlyMap<ThreatType, PolicyAction>,
  policies: readonly PolicyInput[],
): Actions {
  const actions = new Map(preset);
  const deciders = new Map<ThreatType, string>();
  const own = new Map<string, Decider>();
  for (const { id, action, threatTypes, rules } of policies) {
    // A policy in monitor mode decides nothing; it only reports matches of its own patterns.
    const isWatching = rules?.mode === 'monitor';
    if (isWatching) {
      own.set(id, { action: 'monitor', policyId: id });
      continue;
    }
    // An earlier policy that names custom_policy decides about matches of this one.
    const above = deciders.get('custom_policy');
    const ownAction = above === undefined ? action : (actions.get('custom_policy') ?? action);
    own.set(id, { action: ownAction, policyId: above ?? id });
    for (const type of threatTypes) {
      if (deciders.has(type)) continue;
      deciders.set(type, id);
      actions.set(type, action);
    }
  }
  return { actions, deciders, own };
}
