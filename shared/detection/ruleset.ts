import type { Direction, PolicyAction, TextRole, ThreatType } from '../contract/index.ts';
import { TEXT_ROLES, THREAT_TYPES } from '../contract/index.ts';
import { SENSITIVE_TYPES, type SensitiveType } from './pii/registry.ts';
import {
  fitsDirection,
  fitsPii,
  fitsRole,
  fitsSituation,
  isSituational,
  type Situation,
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
  /** Which types are looked for: those that the preset acts on, and those that a policy names. */
  readonly pii: ReadonlySet<SensitiveType>;
  /** What the preset acts on; about everything else only a policy decides. */
  readonly preset: PresetPii;
  /** The same in what a tool for files or commands returned. */
  readonly codePreset: PresetPii;
  /** Which types presets act on in the developer's own words, too; the others they report there. */
  readonly developerPii: ReadonlySet<SensitiveType>;
  /** Set if policies have conditions on roles or types of personal data: the actions for each role and type. */
  readonly byKind: ReadonlyMap<string, Actions> | null;
}

/** Personal data and secrets that a preset acts on. */
export interface PresetPii {
  readonly types: ReadonlySet<SensitiveType>;
  readonly actsOnExamples: boolean;
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
  {
    type,
    role,
    pii,
    policyId,
    reportOnly,
    isExample,
    isInCode,
  }: Pick<Finding, 'type' | 'role' | 'pii' | 'policyId' | 'reportOnly' | 'isExample' | 'isInCode'>,
): { readonly action: PolicyAction; readonly policyId: string | null } {
  const set = rules.byKind?.get(kindOf(role && textRoleOf(role), pii)) ?? rules;
  if (policyId !== undefined) return set.own.get(policyId) ?? { action: 'allow', policyId: null };
  const decider = set.deciders.get(type) ?? null;
  const preset = isInCode === true ? rules.codePreset : rules.preset;
  if (type === 'pii_leak' && pii !== undefined && !(decider === null ? preset.types : rules.pii).has(pii)) {
    return { action: 'allow', policyId: null };
  }
  if (decider === null && isExample === true && !preset.actsOnExamples)
    return { action: 'allow', policyId: null };
  if (decider === null && reportOnly === true) return { action: 'monitor', policyId: null };
  return { action: set.actions.get(type) ?? 'monitor', policyId: decider };
}

function kindOf(role: TextRole | undefined, pii: SensitiveType | undefined): string {
  return `${role ?? ''} ${pii ?? ''}`;
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
    input: compileDirection(input, counting, 'input'),
    output: compileDirection(input, counting, 'output'),
    custom,
    asksForRoles,
    situational,
  };
}

function compileDirection(
  input: RulesetInput,
  counting: readonly PolicyInput[],
  direction: Direction,
): DirectionRules {
  const presetPii = presetOf(USE_CASE_ROWS[input.useCase], direction);
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
  const forKind = (role: TextRole | undefined, pii: SensitiveType | undefined): Actions =>
    compileActions(
      preset,
      policies.filter(({ rules }) => fitsRole(rules?.conditions, role) && fitsPii(rules?.conditions, pii)),
    );
  const thresholds = new Map(
    THREAT_TYPES.map((type) => [type, presetThreshold(input.useCase, input.strictness, direction, type)]),
  );
  return {
    ...forKind(undefined, undefined),
    byKind: compileKinds(input, forKind),
    thresholds,
    pii: new Set([...presetPii.types, ...namedPii(input.policies, direction)]),
    preset: presetPii,
    codePreset: presetOf(codeRow(input.useCase), direction),
    developerPii: developerPii(input.strictness),
  };
}

function presetOf({ inputPii, outputPii, actsOnExamples }: PresetRow, direction: Direction): PresetPii {
  return { types: new Set(direction === 'input' ? inputPii : outputPii), actsOnExamples };
}

/** null: no policy has conditions on what a finding is or on whose words it stands in. */
function compileKinds(
  { policies }: RulesetInput,
  forKind: (role: TextRole | undefined, pii: SensitiveType | undefined) => Actions,
): DirectionRules['byKind'] {
  const has = (name: 'roles' | 'pii_types') =>
    policies.some(({ rules }) => (rules?.conditions?.[name]?.length ?? 0) > 0);
  if (!has('roles') && !has('pii_types')) return null;
  const roles = has('roles') ? [undefined, ...TEXT_ROLES] : [undefined];
  const types = [undefined, ...SENSITIVE_TYPES.map(({ type }) => type)];
  return new Map(
    roles.flatMap((role) => types.map((type) => [kindOf(role, type), forKind(role, type)] as const)),
  );
}

/** Types that a policy names are looked for even if the preset does not act on them. */
function namedPii(policies: readonly PolicyInput[], direction: Direction): readonly SensitiveType[] {
  return policies
    .filter(({ rules }) => fitsDirection(rules?.conditions, direction))
    .flatMap(({ rules }) => rules?.conditions?.pii_types ?? []);
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
