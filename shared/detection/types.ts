import type {
  DecidedBy,
  Decision,
  Direction,
  FailMode,
  PolicyAction,
  PolicyRules,
  StrictnessLevel,
  ThreatDetail,
  ThreatType,
  ToolCallRules,
  UntrustedData,
  UseCase,
} from '../contract/index.ts';
import type { Replacement, SlotRole, Span } from '../text/index.ts';

import type { SensitiveType } from './pii/registry.ts';

/** What of a text is left out if a finding in it is withheld. */
export interface WithheldRange extends Span {
  /** The text that it belongs to: a whole slot, a marked passage, or a string of the JSON that the slot holds. */
  readonly scope: Span;
}

/** What fired, where, and how sure it is. Never holds the matched text. */
export interface Finding {
  /** Index into the slots that were scanned. */
  readonly slot: number;
  /** UTF-16 offsets into that slot's original text. */
  readonly start: number;
  readonly end: number;
  readonly type: ThreatType;
  /** Id of the rule or detector, stable across versions. */
  readonly rule: string;
  readonly confidence: number;
  /** One sentence for a person; without the matched text. */
  readonly reason: string;
  /** Set for personal data and secrets: which type. */
  readonly pii?: SensitiveType;
  /** What redaction writes in its place, such as `[EMAIL]`. */
  readonly placeholder?: string;
  /**
   * Set where presets only report it: contact data in the developer's own words, an attack in what the model said before.
   * Policies that name its type act on it.
   */
  readonly reportOnly?: boolean;
  /** Set for a secret that opens nothing, such as a test key; presets for code leave it alone. */
  readonly isExample?: boolean;
  /** Set if it stands in what a tool for files or commands returned: presets treat it as code. */
  readonly isInCode?: boolean;
  /** Set if it stands in a passage that is marked as a document: that passage, in the slot's original text. */
  readonly passage?: Span;
  /** Set for attacks in untrusted data: what is left out if they are withheld. */
  readonly withheld?: readonly WithheldRange[];
  /** Set in a verdict if it was withheld. */
  readonly isWithheld?: boolean;
  /** Set for personal data and secrets whose value policies allow: those policies. */
  readonly allowedBy?: readonly string[];
  /** Set for what a customer's policy looks for: that policy. */
  readonly policyId?: string;
  /** Whose words it was found in, where policies ask for that. */
  readonly role?: SlotRole;
}

/** One policy as the ruleset compiler takes it, highest priority first. */
export interface PolicyInput {
  readonly id: string;
  readonly action: PolicyAction;
  readonly threatTypes: readonly ThreatType[];
  /** Told where it fires. */
  readonly name?: string;
  readonly rules?: PolicyRules;
}

export interface RulesetInput {
  readonly useCase: UseCase;
  readonly strictness: StrictnessLevel;
  readonly policies: readonly PolicyInput[];
  /** What a device does about attacks in untrusted data; absent: it blocks them. The service asks the project's setting. */
  readonly untrustedData?: UntrustedData;
  /** What a device holds of the tool calls in responses; absent: nothing. */
  readonly toolCalls?: ToolCallRules;
  /** The least confidence of the learned models that is kept as a finding; absent: .2. A classifier is asked about less. */
  readonly leastConfidence?: number;
}

/** What is to be done about a scan. */
export interface Verdict {
  readonly decision: Decision;
  /** Confidence of the deciding threat; 0 where nothing was found. */
  readonly confidence: number;
  readonly threatType: ThreatType | null;
  /** One entry per threat type found at or above its threshold, strongest first. */
  readonly threats: readonly ThreatDetail[];
  /** What decided; absent: the preset. */
  readonly decidedBy?: DecidedBy;
  /** The findings that counted (at or above threshold), for the record. */
  readonly findings: readonly Finding[];
  /** The first slot, in the order of the body, that is blocked by itself; only if decision is `block`. */
  readonly blockedSlot?: number;
  /** Replacements per slot index; only where decision is `redact`. */
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
}

export type { Decision, Direction, FailMode, ThreatType };
