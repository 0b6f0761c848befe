import type { Direction, FailMode } from '@csg/shared/contract';
import type { Delivery, DirectedFindings, Scan, Step, Texts, Verdict } from '@csg/shared/decision';
import type { TextSlot } from '@csg/shared/text';
import type { ProviderCall } from '../../storage/storage.ts';
import type { UncountedRequest } from '../admit-request.ts';
import type { TextsInConversation } from '../agent/text-positions.ts';
import type { TextKeyOf } from './allowed-texts.ts';
import type { CallsToEvaluate, ToolCallDeps } from './review-calls.ts';

/** What the record of a decision says about its request. */
export interface RecordedFacts {
  /** Canonical route, such as `guard` or `chat/completions`. */
  readonly route: string;
  readonly model: string | null;
  readonly requestId: string;
  /** Where the texts go to, as the caller says. */
  readonly host?: string | undefined;
  /** Address of the client, for the project's webhook. */
  readonly ipAddress?: string | undefined;
  /** The request to count, if this is its first decision and it was not counted yet. */
  readonly usage?: UncountedRequest | null;
  /** The provider call that returned the texts, counted with the decision. */
  readonly call?: ProviderCall | undefined;
  /** Prefixes of the paths that masks are written at; absent: everywhere. */
  readonly writtenUnder?: readonly string[];
}

/** What a response is compared with. */
export interface AnsweredTexts {
  /** The developer's instructions to the model, which a response should not repeat. */
  readonly systemSlots?: readonly TextSlot[] | undefined;
  /** The texts of the response with masked values of the request restored. */
  readonly restoredSlots?: readonly TextSlot[] | undefined;
}

/** Where texts go to or come from: exceptions and policies for this place apply. */
export interface Destination {
  readonly host?: string | undefined;
  /** Name of the model provider, if any. */
  readonly provider?: string | undefined;
}

/** One decision to take. */
export interface Subject {
  readonly recorded: RecordedFacts;
  readonly direction: Direction;
  readonly texts: Texts;
  readonly delivery: Delivery;
  /** True if a passage of untrusted data can be taken out of what goes on; otherwise it is blocked instead. */
  readonly withholds?: boolean;
  readonly destination?: Destination;
  /** For responses. */
  readonly answers?: AnsweredTexts | undefined;
  /** Finds what the engine can find; absent: by a scan of the texts. */
  readonly scan?: () => Promise<readonly DirectedFindings[]>;
  /** Place of the texts in their conversation; absent: they belong to none. */
  readonly place?: TextsInConversation | undefined;
  /** Tool calls to decide on, and what decides about them. */
  readonly calls?: { readonly deps: ToolCallDeps; readonly input: CallsToEvaluate } | undefined;
  /** Absent: that of the project. */
  readonly failMode?: FailMode;
  /** The message of the error if nothing is returned because the engine could not run. */
  readonly failMessage?: string;
  /** Absent: all. */
  readonly steps?: readonly Step[];
}

/** A decision that was taken, and what is recorded about it. */
export interface DecisionToRecord {
  readonly recorded: RecordedFacts;
  readonly direction: Direction;
  readonly texts: Texts;
  readonly delivery: Delivery;
  readonly verdict: Verdict;
  readonly scan: Scan;
  /** Why the engine could not run; null: it did. */
  readonly cause: unknown;
  readonly eventId: string;
  readonly atMs: number;
  readonly scanMs: number;
  readonly textKeyOf: TextKeyOf;
}
