import type {
  Decision,
  Direction,
  FailMode,
  PolicyAction,
  PolicyRules,
  StrictnessLevel,
  ThreatType,
  ToolCallRules,
  UntrustedData,
  UseCase,
} from '../contract/index.ts';
import type { SlotRole, Span } from '../text/index.ts';

import type { SensitiveType } from './pii/registry.ts';

/** A range of a text that is removed if a finding in it is withheld. */
export interface WithheldRange extends Span {
  /** The enclosing text: a whole slot, a marked passage, or a string of the JSON in the slot. */
  readonly scope: Span;
}

/** What matched, where, and how confident the detector is. Never contains the matched text. */
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
   * Set if presets only report it: contact data in the developer's own words, an attack in earlier output of the model.
   * Policies that name its type act on it.
   */
  readonly reportOnly?: boolean;
  /** Set for a secret without any use, such as a test key; presets for code ignore it. */
  readonly isExample?: boolean;
  /** Set if it is in the output of a tool for files or commands: presets treat it as code. */
  readonly isInCode?: boolean;
  /** Set if it is in a passage that is marked as a document: that passage, in the slot's original text. */
  readonly passage?: Span;
  /** Set if it is in a note with a client's tag, and the note contains no attack when it is read as data. */
  readonly isClearAsData?: boolean;
  /** Set for attacks in untrusted data: the ranges that are removed if they are withheld. */
  readonly withheld?: readonly WithheldRange[];
  /** Set in a verdict if it was withheld. */
  readonly isWithheld?: boolean;
  /** Set for personal data and secrets whose value policies allow: those policies. */
  readonly allowedBy?: readonly string[];
  /** Set for matches of a customer's policy: the id of that policy. */
  readonly policyId?: string;
  /** The role of its slot; set if policies have conditions on roles. */
  readonly role?: SlotRole;
}

/** One policy as the ruleset compiler takes it, highest priority first. */
export interface PolicyInput {
  readonly id: string;
  readonly action: PolicyAction;
  readonly threatTypes: readonly ThreatType[];
  /** Reported with its matches. */
  readonly name?: string;
  readonly rules?: PolicyRules;
}

export interface RulesetInput {
  readonly useCase: UseCase;
  readonly strictness: StrictnessLevel;
  readonly policies: readonly PolicyInput[];
  /** The device's action for attacks in untrusted data; absent: block. The service uses the project's setting. */
  readonly untrustedData?: UntrustedData;
  /** The device's rules for tool calls in responses; absent: none. */
  readonly toolCalls?: ToolCallRules;
  /**
   * The minimum confidence at which results of the learned models become findings; absent: 0.2. An external classifier
   * also needs lower ones.
   */
  readonly leastConfidence?: number;
}

export type { Decision, Direction, FailMode, ThreatType };
