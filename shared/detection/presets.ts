import type { Direction, PolicyAction } from '../contract/index.ts';
import {
  STRICTNESS_LEVELS,
  type StrictnessLevel,
  type ThreatType,
  USE_CASES,
  type UseCase,
} from '../vocabulary/index.ts';
import { DECISION } from './operating-points/decisions.ts';
import { type PresetPiiType, SENSITIVE_TYPES } from './pii/registry.ts';

export interface Preset {
  readonly useCase: UseCase;
  readonly strictness: StrictnessLevel;
}

/** One row of the preset table: what is detected and what is done about it, per direction. */
export interface PresetRow {
  /** Personal data that is masked in prompts. Keys and secrets are always masked. */
  readonly inputPii: readonly PresetPiiType[];
  /** Personal data that is masked in responses. */
  readonly outputPii: readonly PresetPiiType[];
  /** False: test keys, placeholders and passwords for the local computer are ignored. */
  readonly actsOnExamples: boolean;
  /** Added to the threshold of attacks: below 0 is stricter. */
  readonly attackShift: number;
  /** Added to the threshold of tool calls that no task needs. */
  readonly callShift: number;
}

/** The confidence from which an attack counts, before the shift of the use case. */
const ATTACK_THRESHOLDS: Readonly<Record<StrictnessLevel, number>> = {
  strict: DECISION.attackStrict,
  moderate: DECISION.attackModerate,
  permissive: DECISION.attackPermissive,
};

/** The same for a tool call that no task needs. */
const CALL_THRESHOLDS: Readonly<Record<StrictnessLevel, number>> = {
  ...ATTACK_THRESHOLDS,
  strict: DECISION.callStrict,
};

/** The confidence from which personal data and secrets count. */
export const PII_THRESHOLDS: Readonly<Record<StrictnessLevel, number>> = {
  strict: DECISION.sensitiveStrict,
  moderate: DECISION.sensitiveModerate,
  permissive: DECISION.sensitivePermissive,
};

/** How presets treat a type of personal data. */
interface PresetType {
  /** What it protects: every preset acts on `harm`, the fewest on `everything`. */
  readonly scope: 'harm' | 'people' | 'everything';
  /** A developer writes contact data into a prompt for the model to use: only `strict` redacts it there. */
  readonly isContact: boolean;
}

/** Every type of the registry has to be named here. */
const PRESET_TYPES: Readonly<Record<PresetPiiType, PresetType>> = {
  email: { scope: 'people', isContact: true },
  phone: { scope: 'people', isContact: true },
  ssn: { scope: 'harm', isContact: false },
  credit_card: { scope: 'harm', isContact: false },
  api_key: { scope: 'harm', isContact: false },
  ip_address: { scope: 'everything', isContact: true },
};

const every = SENSITIVE_TYPES.map(({ type }) => type);
const people = every.filter((type) => PRESET_TYPES[type].scope !== 'everything');
const worst = every.filter((type) => PRESET_TYPES[type].scope === 'harm');

/**
 * Addresses, versions and author lines are common in code and data, so only harmful types are masked there. Developers
 * install tools and schedule jobs, so only calls that destroy, steal or open access are blocked.
 */
export const USE_CASE_ROWS: Readonly<Record<UseCase, PresetRow>> = {
  default: { inputPii: people, outputPii: people, actsOnExamples: true, attackShift: 0, callShift: 0 },
  support_bot: {
    inputPii: every,
    outputPii: people,
    actsOnExamples: true,
    attackShift: DECISION.attackShiftOfSupport,
    callShift: 0,
  },
  code_assistant: {
    inputPii: worst,
    outputPii: worst,
    actsOnExamples: false,
    attackShift: DECISION.attackShiftOfCode,
    callShift: DECISION.callShiftOfCode,
  },
  rag_system: {
    inputPii: people,
    outputPii: people,
    actsOnExamples: true,
    attackShift: DECISION.attackShiftOfData,
    callShift: 0,
  },
  data_analysis: { inputPii: worst, outputPii: people, actsOnExamples: true, attackShift: 0, callShift: 0 },
  creative_writing: {
    inputPii: worst,
    outputPii: people,
    actsOnExamples: true,
    attackShift: DECISION.attackShiftOfFiction,
    callShift: 0,
  },
};

/** Returns the row for personal data and secrets in the output of tools for files or commands. */
export function codeRow(useCase: UseCase): PresetRow {
  return USE_CASE_ROWS[useCase === 'default' ? 'code_assistant' : useCase];
}

/**
 * Returns the types of personal data that are redacted in the developer's own words, if the preset acts on them at all.
 */
export function developerPii(strictness: StrictnessLevel): ReadonlySet<PresetPiiType> {
  return new Set(strictness === 'strict' ? every : every.filter((type) => !PRESET_TYPES[type].isContact));
}

/** Returns the confidence from which a threat counts. */
export function presetThreshold(
  useCase: UseCase,
  strictness: StrictnessLevel,
  direction: Direction,
  type: ThreatType,
): number {
  if (type === 'pii_leak' || type === 'secret_leak') return PII_THRESHOLDS[strictness];
  const { attackShift, callShift } = USE_CASE_ROWS[useCase];
  const threshold =
    type === 'unsafe_tool_call'
      ? CALL_THRESHOLDS[strictness] + callShift
      : ATTACK_THRESHOLDS[strictness] + attackShift;
  const least = direction === 'output' ? DECISION.leastOfOutput : DECISION.leastOfInput;
  return Math.min(DECISION.most, Math.max(least, threshold));
}

const ALIASES: Readonly<Record<string, Preset>> = {
  default: { useCase: 'default', strictness: 'moderate' },
  strict: { useCase: 'default', strictness: 'strict' },
  support_bot: { useCase: 'support_bot', strictness: 'moderate' },
};

/** Parses `use_case:strictness` or one of the three bare names; anything else is undefined. */
export function parsePreset(name: string): Preset | undefined {
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name];
  const [useCase, strictness, ...rest] = name.split(':');
  if (rest.length > 0) return undefined;
  const knownUseCase = USE_CASES.find((known) => known === useCase);
  const knownLevel = STRICTNESS_LEVELS.find((known) => known === strictness);
  if (knownUseCase === undefined || knownLevel === undefined) return undefined;
  return { useCase: knownUseCase, strictness: knownLevel };
}

/** Every name `parsePreset` knows: the bare names first. */
export function listPresets(): string[] {
  const composed = USE_CASES.flatMap((useCase) => STRICTNESS_LEVELS.map((level) => `${useCase}:${level}`));
  return [...Object.keys(ALIASES), ...composed];
}

/** A policy as a preset seeds it. */
export interface DefaultPolicy {
  readonly name: string;
  readonly description: string;
  readonly action: PolicyAction;
  readonly threat_types: readonly ThreatType[];
  readonly priority: number;
}

/** Returns the policies that a preset stands for, as GET /policies shows them. Highest priority first. */
export function defaultPolicies(useCase: UseCase, strictness: StrictnessLevel): DefaultPolicy[] {
  const preset = `${useCase}:${strictness}`;
  const { inputPii, outputPii } = USE_CASE_ROWS[useCase];
  return [
    {
      name: 'Block attacks on the model',
      description: `Prompt injection, instruction override, jailbreaks and extraction of the system prompt are blocked in prompts, and responses that reveal the system prompt (${preset}).`,
      action: 'block',
      threat_types: ['prompt_injection', 'instruction_override', 'jailbreak', 'system_prompt_leak'],
      priority: 100,
    },
    {
      name: 'Protect against untrusted data',
      description:
        'Attacks in tool results, documents and pages are withheld, blocked or reported, as the project is set (untrusted_data). Exfiltration links, malicious scripts and unsafe tool calls are blocked.',
      action: 'block',
      threat_types: [
        'indirect_prompt_injection',
        'data_exfiltration',
        'malicious_script',
        'unsafe_tool_call',
      ],
      priority: 90,
    },
    {
      name: 'Mask secrets',
      description: 'Keys and credentials are masked in prompts; responses that contain one are blocked.',
      action: 'redact',
      threat_types: ['secret_leak'],
      priority: 80,
    },
    {
      name: 'Mask personal data',
      description: `Masked in prompts: ${inputPii.join(', ')}; in responses: ${outputPii.join(', ')}.`,
      action: 'redact',
      threat_types: ['pii_leak'],
      priority: 70,
    },
    {
      ...(strictness === 'strict'
        ? {
            name: 'Block hidden content',
            description: 'Prompts with invisible or disguised text are blocked; in responses it is reported.',
            action: 'block',
          }
        : {
            name: 'Monitor hidden content',
            description: 'Invisible and disguised text is reported; an attack in it is treated as any other.',
            action: 'monitor',
          }),
      threat_types: ['hidden_content'],
      priority: 60,
    },
  ];
}
