import { type ExceptionStatus, PENDING_DAYS, type ToolRequestStatus } from '@csg/shared/contract';
import { hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** An undecided request expires after this time. */
export const PENDING_MS = PENDING_DAYS * 24 * 60 * 60_000;

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

const decided = {
  /** Who approved, denied or cancelled it. */
  decidedBy: orNull(text),
  decisionReason: orNull(text),
  decidedAtMs: orNull(number),
  createdAtMs: number,
  changedAtMs: number,
  /** The event that caused it, as the requester named it; null: none was named. */
  eventId: orNull(text),
};

interface PendingTime {
  /** When it expires undecided; null: it is not pending. */
  readonly pendingUntilMs: number | null;
}

/** `exc_…`. */
export const exceptionTable = table({
  id: text,
  organizationId: text,
  ...requester,
  destinationHost: text,
  /** The host in the form used for comparison. */
  hostKey: hidden(text),
  policyId: orNull(text),
  threat: orNull(text),
  reasonCategory: orNull(text),
  justification: orNull(text),
  requestedMinutes: number,
  status: word<ExceptionStatus>(),
  ...decided,
  startsAtMs: orNull(number),
  expiresAtMs: orNull(number),
});
/**
 * `status` is current at the time of reading: an approved exception is `expired` from `expiresAtMs` on, a pending one
 * from `pendingUntilMs` on.
 */
export type Exception = RecordOf<typeof exceptionTable> & PendingTime;

/** `treq_…`. */
export const toolRequestTable = table({
  id: text,
  organizationId: text,
  ...requester,
  requestedHost: text,
  requestedName: orNull(text),
  justification: orNull(text),
  status: word<ToolRequestStatus>(),
  ...decided,
});
/** A pending one is `cancelled` from `pendingUntilMs` on. */
export type ToolRequest = RecordOf<typeof toolRequestTable> & PendingTime;

export interface ApprovalFilter<Status> {
  /** Only requests of this device. */
  readonly deviceId?: string;
  readonly status?: Status;
  /** Default 50, at most 200. */
  readonly limit?: number;
  /** Cursor: only requests older than this one. */
  readonly before?: { readonly createdAtMs: number; readonly id: string };
}

export interface ApprovalDecision {
  readonly approve: boolean;
  readonly decidedBy: string;
  readonly reason: string | null;
}

/** The scope of a decision: a device, and its project. */
export interface ApprovalScope {
  readonly projectId: string | null;
  readonly deviceId: string | null;
}

export interface Exceptions {
  insert(
    organizationId: string,
    input: Requester &
      Pick<
        Exception,
        'destinationHost' | 'policyId' | 'threat' | 'reasonCategory' | 'justification' | 'requestedMinutes'
      > & {
        readonly eventId?: string | null;
        /** The host in the form used for comparison (detection hostName). */
        readonly hostKey: string;
      },
  ): Promise<Exception>;
  get(organizationId: string, exceptionId: string): Promise<Exception | null>;
  /** Newest first. */
  list(organizationId: string, filter?: ApprovalFilter<Exception['status']>): Promise<readonly Exception[]>;
  countPending(organizationId: string, deviceId: string): Promise<number>;
  /** Returns active exceptions for this scope, oldest first; `hostKey`: only for this host. */
  listActive(organizationId: string, scope: ApprovalScope, hostKey?: string): Promise<readonly Exception[]>;
  /** Ids of the devices that have an active exception of their own. */
  listActiveDevices(organizationId: string): Promise<readonly string[]>;
  /** Decides in one statement: of two concurrent callers one wins. null: missing, or no longer pending. */
  decide(
    organizationId: string,
    exceptionId: string,
    decision: ApprovalDecision & { readonly minutes: number },
  ): Promise<Exception | null>;
  /** null: missing, or neither pending nor active. */
  cancel(organizationId: string, exceptionId: string, cancelledBy: string): Promise<Exception | null>;
  /** True if closeExpired has something to write: active or pending exceptions whose time is over. */
  hasExpired(): Promise<boolean>;
  /** Stores the expiry of exceptions whose time is over, of any organization; returns at most 100 that it wrote. */
  closeExpired(): Promise<readonly Exception[]>;
  changedSince(organizationIds: readonly string[], sinceMs: number): Promise<readonly Exception[]>;
}

export interface ToolRequests {
  insert(
    organizationId: string,
    input: Requester &
      Pick<ToolRequest, 'requestedHost' | 'requestedName' | 'justification'> & {
        readonly eventId?: string | null;
      },
  ): Promise<ToolRequest>;
  get(organizationId: string, requestId: string): Promise<ToolRequest | null>;
  list(
    organizationId: string,
    filter?: ApprovalFilter<ToolRequest['status']>,
  ): Promise<readonly ToolRequest[]>;
  countPending(organizationId: string, deviceId: string): Promise<number>;
  /** Approved requests that apply in this scope. */
  listApproved(organizationId: string, scope: ApprovalScope): Promise<readonly ToolRequest[]>;
  /** Ids of the devices that have an approved request of their own. */
  listDevicesApproved(organizationId: string): Promise<readonly string[]>;
  decide(organizationId: string, requestId: string, decision: ApprovalDecision): Promise<ToolRequest | null>;
  /** null: missing, or neither pending nor approved. */
  cancel(organizationId: string, requestId: string, cancelledBy: string): Promise<ToolRequest | null>;
  /** True if closeExpired has something to write. */
  hasExpired(): Promise<boolean>;
  /** The same as for exceptions, for requests that were not decided in time. */
  closeExpired(): Promise<readonly ToolRequest[]>;
  changedSince(organizationIds: readonly string[], sinceMs: number): Promise<readonly ToolRequest[]>;
}
