import type {
  ExceptionStatus,
  FeedbackStatus,
  RequestKind,
  ToolRequestStatus,
  ToolReviewStatus,
} from '@csg/shared/contract';
import { bytes, hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';
import type { SecurityEvent } from './events.ts';

/** What each kind of request is about, and the states it has. */
interface Kinds {
  /** A temporary exception to decisions about texts to one host. */
  readonly exception: {
    readonly status: ExceptionStatus;
    readonly details: {
      readonly destinationHost: string;
      readonly policyId: string | null;
      readonly threat: string | null;
      /** Without a threat: also personal data, secrets and own patterns. Missing in those of earlier versions, which had them. */
      readonly allFindings?: boolean;
      readonly reasonCategory: string | null;
      readonly requestedMinutes: number;
    };
    readonly more: object;
  };
  /** A blocked AI tool. */
  readonly tool_request: {
    readonly status: ToolRequestStatus;
    readonly details: { readonly requestedHost: string; readonly requestedName: string | null };
    readonly more: object;
  };
  /** A tool call that is held until a person decides. */
  readonly tool_review: {
    readonly status: ToolReviewStatus;
    readonly details: {
      readonly agentId: string;
      readonly sessionId: string | null;
      readonly toolName: string;
      readonly reason: string;
      /** null: not stored. */
      readonly arguments: object | null;
    };
    readonly more: { readonly endsAtMs: number };
  };
  /** A report that a decision was wrong because the text was harmless; it may ask that its texts be allowed. */
  readonly false_positive: {
    readonly status: FeedbackStatus;
    readonly details: {
      readonly allowText: boolean;
      /** The event as it was recorded, because events are pruned. */
      readonly event: SecurityEvent;
    };
    readonly more: { readonly eventId: string };
  };
}

interface StoredKind<K extends RequestKind> {
  readonly prefix: string;
  /** The status of a request whose time is over. */
  readonly over: 'expired' | 'cancelled';
  /** What then stands as the reason for the decision. */
  readonly overReason?: string;
  readonly details: readonly (keyof Kinds[K]['details'] & string)[];
  /** The detail that is stored encrypted. */
  readonly sealed?: keyof Kinds[K]['details'] & string;
  /** The subject is stored as a keyed hash. */
  readonly isSubjectHashed?: true;
  /** What happens to its open requests if their project is deleted. */
  readonly withProject: 'cancelled' | 'deleted' | 'kept';
}

const KINDS = {
  exception: {
    prefix: 'exc',
    over: 'expired',
    details: ['destinationHost', 'policyId', 'threat', 'allFindings', 'reasonCategory', 'requestedMinutes'],
    withProject: 'cancelled',
  },
  tool_request: {
    prefix: 'treq',
    // Its fixed set of states has no `expired`.
    over: 'cancelled',
    overReason: 'Not decided in time.',
    details: ['requestedHost', 'requestedName'],
    withProject: 'cancelled',
  },
  tool_review: {
    prefix: 'trev',
    over: 'expired',
    details: ['agentId', 'sessionId', 'toolName', 'reason'],
    sealed: 'arguments',
    isSubjectHashed: true,
    withProject: 'kept',
  },
  false_positive: {
    prefix: 'fbk',
    over: 'expired',
    details: ['allowText', 'event'],
    withProject: 'deleted',
  },
} as const satisfies { readonly [K in RequestKind]: StoredKind<K> };

/** Beginning of the ids of requests. */
export type RequestPrefix = (typeof KINDS)[RequestKind]['prefix'];
export const STORED_KINDS: { readonly [K in RequestKind]: StoredKind<K> & { prefix: RequestPrefix } } = KINDS;

export type RequestStatus = Kinds[RequestKind]['status'];

/** The requester, and the scope of the request. */
const requester = {
  projectId: orNull(text),
  /** Set: applies to this device only. Otherwise to the project or, without one, to the organization. */
  deviceId: orNull(text),
  /** Id of the person, device or key. */
  requestedBy: text,
  /** The user behind the requester, who must not decide the request; null: unknown. */
  requesterUserId: orNull(text),
};
const requesterTable = table(requester);
export type Requester = RecordOf<typeof requesterTable>;

/** What waits for the decision of a person, of every kind: `exc_…`, `treq_…`, `trev_…`, `fbk_…`. */
export const requestTable = table({
  id: text,
  kind: word<RequestKind>(),
  organizationId: text,
  ...requester,
  /** What a request is looked up by: an exception by its host, a tool call by its hash. */
  subjectKey: hidden(orNull(text)),
  /** The event that caused it; null: none was named. */
  eventId: orNull(text),
  justification: orNull(text),
  /** The details of its kind, as JSON. */
  details: hidden(text),
  sealedDetail: hidden(orNull(bytes)),
  status: word<RequestStatus>(),
  /** Who approved, denied or cancelled it. */
  decidedBy: orNull(text),
  decisionReason: orNull(text),
  decidedAtMs: orNull(number),
  /** When it was approved. */
  startsAtMs: orNull(number),
  /** When the request or, once it is decided, the decision ends; null: never. */
  endsAtMs: orNull(number),
  createdAtMs: number,
  changedAtMs: number,
});

type Common = Omit<RecordOf<typeof requestTable>, 'kind' | 'status'> & {
  /** When it expires undecided; null: it is not pending. */
  readonly pendingUntilMs: number | null;
  /** When its approval ends; null: it has none, or it does not end. */
  readonly expiresAtMs: number | null;
};

/** A request of one kind. `status` is current at the time of reading: a request ends at `endsAtMs`. */
export type RequestOf<K extends RequestKind> = {
  [Kind in K]: Common & {
    readonly kind: Kind;
    readonly status: Kinds[Kind]['status'];
  } & Kinds[Kind]['details'] &
    Kinds[Kind]['more'];
}[K];

export type AnyRequest = RequestOf<RequestKind>;
export type Exception = RequestOf<'exception'>;
export type ToolRequest = RequestOf<'tool_request'>;
export type ToolReview = RequestOf<'tool_review'>;
export type FalsePositive = RequestOf<'false_positive'>;

export type NewRequest<K extends RequestKind> = Requester &
  Kinds[K]['details'] & {
    readonly justification?: string | null;
    readonly eventId?: string | null;
    readonly subject?: string;
    /** Default: `pending`. */
    readonly status?: Kinds[K]['status'];
    /** Default: it waits until it is decided. */
    readonly endsInMs?: number | null;
  };

export interface RequestFilter<K extends RequestKind = RequestKind> {
  readonly kind?: K;
  readonly status?: RequestStatus;
  /** Not requests that were stored with this status. */
  readonly without?: RequestStatus;
  /** Only requests of this device. */
  readonly deviceId?: string;
  readonly projectId?: string;
  /** Default 50, at most 500. */
  readonly limit?: number;
  /** Cursor: only requests older than this one. */
  readonly before?: { readonly createdAtMs: number; readonly id: string };
}

export interface RequestVerdict {
  readonly approve: boolean;
  readonly decidedBy: string;
  readonly reason: string | null;
  /** Of an exception: the threat type that it is narrowed to. */
  readonly threat?: string;
  /** How long the decision applies. Default: until it is cancelled. */
  readonly endsInMs?: number | null;
}

/** The scope of a decision: a device, and its project. */
export interface ApprovalScope {
  readonly projectId: string | null;
  readonly deviceId: string | null;
}

export interface Requests {
  insert<K extends RequestKind>(organizationId: string, kind: K, input: NewRequest<K>): Promise<RequestOf<K>>;
  /** Like `insert`, but if this event was reported before, that report is changed: its id and decision stay. */
  report(
    organizationId: string,
    input: NewRequest<'false_positive'> & { readonly eventId: string },
  ): Promise<FalsePositive>;
  get<K extends RequestKind = RequestKind>(
    organizationId: string,
    id: string,
    kind?: K,
  ): Promise<RequestOf<K> | null>;
  findReport(organizationId: string, eventId: string): Promise<FalsePositive | null>;
  /** Newest first. */
  list<K extends RequestKind = RequestKind>(
    organizationId: string,
    filter?: RequestFilter<K>,
  ): Promise<readonly RequestOf<K>[]>;
  countPending(
    organizationId: string,
    kind: RequestKind,
    by: { readonly deviceId: string } | { readonly requestedBy: string },
  ): Promise<number>;
  countPendingByKind(organizationId: string): Promise<Readonly<Record<RequestKind, number>>>;
  /** Approved ones that apply in this scope, oldest first; `subject`: only for this one. */
  listApproved<K extends RequestKind>(
    organizationId: string,
    kind: K,
    scope: ApprovalScope,
    subject?: string,
  ): Promise<readonly RequestOf<K>[]>;
  /** Ids of the devices that have an approved exception or tool of their own. */
  listDevicesApproved(organizationId: string): Promise<readonly string[]>;
  /** Returns one with any of these subjects that has not ended: preferably approved, else the newest. */
  findOpen<K extends RequestKind>(
    organizationId: string,
    kind: K,
    subjects: readonly string[],
  ): Promise<RequestOf<K> | null>;
  /** Decides in one statement: of two concurrent callers one wins. null: missing, or no longer pending. */
  decide(organizationId: string, id: string, verdict: RequestVerdict): Promise<AnyRequest | null>;
  /** null: missing, or neither pending nor approved. */
  cancel(organizationId: string, id: string, cancelledBy: string): Promise<AnyRequest | null>;
  /** Uses up an approval: true for one caller only. */
  use(organizationId: string, id: string): Promise<boolean>;
  /** false: there was none. */
  remove(organizationId: string, id: string): Promise<boolean>;
  /** True if closeExpired has something to write: pending or approved requests whose time is over. */
  hasExpired(): Promise<boolean>;
  /** Stores that the time of requests is over, of any organization; returns at most 100 of each kind that it wrote. */
  closeExpired(): Promise<readonly AnyRequest[]>;
  /** Exceptions and tool requests. */
  changedSince(
    organizationIds: readonly string[],
    sinceMs: number,
  ): Promise<readonly (Exception | ToolRequest)[]>;
}
