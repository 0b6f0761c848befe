import type {
  DecidedBy,
  Decision,
  Direction,
  FailMode,
  ThreatDetail,
  ThreatType,
  UntrustedData,
} from '../contract/index.ts';
import type { Finding, Ruleset, UnscannableTextError } from '../detection/index.ts';
import type { TaintedText } from '../flow-control/index.ts';
import type { SignedBlock, UnreadPart } from '../providers/index.ts';
import type { Conversation, Replacement, Steps, TextSlot } from '../text/index.ts';
import type { Calls, Hold, Listings, Traces } from './calls.ts';

/** What a decision rests on. Everything is known before the first step, except for the answers to questions. */
export interface Facts {
  readonly texts: Texts;
  readonly scan: Scan;
  readonly rules: Rules;
  readonly delivery: Delivery;
  /** Tool calls that were not made yet; null: there are none, or lists and flow control do not apply. */
  readonly calls: Calls | null;
  readonly answers: Answers;
}

export interface Texts {
  readonly conversation: Conversation;
  /** Parts that nobody could read. */
  readonly unread: readonly UnreadPart[];
  /** The blocks that slots with a `signedBlock` belong to; absent: there are none. */
  readonly signed?: readonly SignedBlock[];
  /** True if tool calls were already decided on when the model made them. */
  readonly reportsToolCalls?: boolean;
  /** True for a tool result with code, in which personal data is common, and for a user's text of a coding agent. */
  readonly isCode?: (slot: TextSlot) => Steps<boolean>;
  /** True: personal data that is only reported in this text. */
  readonly isReported?: (finding: Finding, slot: TextSlot) => Steps<boolean>;
}

/** What the engine found, or why it found nothing. */
export type Scan =
  | { readonly kind: 'read'; readonly found: readonly DirectedFindings[] }
  | { readonly kind: 'unscannable'; readonly cause: UnscannableTextError }
  | { readonly kind: 'failed'; readonly failMode: FailMode };

/** Texts are read as input to a model or as its output; the arguments of a tool as both. */
export interface DirectedFindings {
  readonly direction: Direction;
  readonly findings: readonly Finding[];
}

/** What the project or the device has set. */
export interface Rules {
  /** Resolved for the place and time of this decision. */
  readonly ruleset: Ruleset;
  /** `withhold` only where a passage can be taken out of what goes on. */
  readonly untrustedData: UntrustedData;
  /** Which unread parts are blocked; absent: none. */
  readonly blocksUnread?: (part: UnreadPart) => boolean;
  /** What happens if the project's own endpoint does not answer; absent: there is none. */
  readonly endpoint?: FailMode;
  /** Why the content must not go there, whatever it is; absent: it may. */
  readonly refused?: Refused;
}

export interface Refused {
  readonly by: DecidedBy;
  readonly reason: string;
  /** The exception that allows it all the same. */
  readonly exceptionId: string | null;
}

/** What happens to content that has to be masked or withheld. */
export type Delivery =
  /** The caller is told, and masks it. */
  | 'told'
  /** It is masked or withheld in what goes on. */
  | 'written'
  /** The content goes on unchanged or not at all. */
  | 'whole'
  /** The content goes on unchanged, with a warning. */
  | 'unchanged';

/** Answers to the questions of the steps, as far as they were asked. */
export interface Answers {
  /** True for a signed block that an answer of the provider had. */
  readonly isAnswered?: (block: SignedBlock) => boolean;
  /** Returns the report by which the text of a finding is allowed. */
  readonly allowedTexts?: (finding: Finding) => string | undefined;
  readonly exceptions?: Exceptions;
  readonly endpoint?: EndpointAnswer;
  readonly toolLists?: Listings;
  readonly traces?: Traces;
  readonly review?: ReviewAnswer;
  /** Of a device. It is asked before the device reads a text, because the device reads only the others. */
  readonly service?: ServiceAnswer;
}

/** What the service has decided about texts of this content. */
export interface ServiceAnswer {
  /** Of the parts that it was asked about, and of texts that it masked in earlier turns. */
  readonly verdicts: readonly ServiceVerdict[];
  /** Its earlier block of these texts, while it gives no verdict; null: there is none. */
  readonly blockedBefore: Pick<ServiceVerdict, 'threatType' | 'confidence'> | null;
}

export interface ServiceVerdict {
  readonly decision: Decision;
  readonly eventId: string;
  readonly threatType: ThreatType | null;
  readonly confidence: number;
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
  /** The exception that changed it. */
  readonly exceptionId: string | null;
}

/** The exceptions for this caller and destination. */
export interface Exceptions {
  /** Returns the exception that covers a finding. `policyId`: the policy that would decide; null: the preset would. */
  readonly coverOf: (finding: Finding, policyId: string | null) => string | undefined;
}

/** The verdict of the project's own endpoint, on the slots that it was shown. */
export type EndpointAnswer =
  | { readonly verdict: 'allow' }
  | { readonly verdict: 'none'; readonly shown: readonly ShownSlot[] }
  | { readonly verdict: 'block'; readonly reason: string | null; readonly shown: readonly ShownSlot[] }
  | {
      readonly verdict: 'redact';
      readonly reason: string | null;
      readonly shown: readonly ShownSlot[];
      /** Null: the redaction does not match the texts. */
      readonly replacements: ReadonlyMap<number, readonly Replacement[]> | null;
    };

/** A slot, and the UTF-16 length of its text. */
export interface ShownSlot {
  readonly slot: number;
  readonly length: number;
}

/** The first call that is not approved; null: all are. */
export type ReviewAnswer = {
  readonly hold: Hold;
  /** Null: it is not queued. */
  readonly id: string | null;
  /** `not_queued`: too many calls wait already. */
  readonly status: 'pending' | 'denied' | 'not_queued';
  /** The reviewer's reason for a denial. */
  readonly reason: string | null;
} | null;

/** What a step has to know. The runner asks, and the answer becomes a fact. */
export type Question =
  | { readonly ask: 'isAnswered'; readonly blocks: readonly SignedBlock[] }
  | { readonly ask: 'allowedTexts'; readonly findings: readonly Finding[] }
  | { readonly ask: 'exceptions'; readonly findings: readonly Finding[] }
  | { readonly ask: 'endpoint'; readonly threats: readonly ThreatDetail[] }
  | { readonly ask: 'toolLists' }
  /** `tainted`: passages of the texts that give the model instructions. */
  | { readonly ask: 'traces'; readonly tainted: readonly TaintedText[] }
  | { readonly ask: 'review'; readonly holds: readonly Hold[] };
