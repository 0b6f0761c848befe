import { type ExceptionStatus, PENDING_DAYS, type ToolRequestStatus } from '@csg/shared/contract';
import { hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** An undecided request expires after this time. */
export const PENDING_MS = PENDING_DAYS * 24 * 60 * 60_000;

/** Who asks, and where it counts. */
const requester = {
  projectId: orNull(text),
  /** Set: it counts for this device alone. Else for the project, and without one for the organization. */
  deviceId: orNull(text),
  /** Id of the person, device or key. */
  requestedBy: text,
  /** The person behind it, who must not decide it; null: none is known. */
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
  /** As it is compared. */
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
 * `status` is true at the time of reading: an approved one is `expired` from `expiresAtMs` on, a pending one from
 * `pendingUntilMs` on.
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
  /** Only what this device asked for. */
  readonly deviceId?: string;
  readonly status?: Status;
  /** Default 50, at most 200. */
  readonly limit?: number;
  /** Only older ones than this. */
  readonly before?: { readonly createdAtMs: number; readonly id: string };
}

export interface ApprovalDecision {
  readonly approve: boolean;
  readonly decidedBy: string;
  readonly reason: string | null;
}

/** Where a decision would count: a device, and the project it is in. */
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
        /** The host as it is compared (detection hostName). */
        readonly hostKey: string;
      },
  ): Promise<Exception>;
  get(organizationId: string, exceptionId: string): Promise<Exception | null>;
  /** Newest first. */
  list(organizationId: string, filter?: ApprovalFilter<Exception['status']>): Promise<readonly Exception[]>;
  countPending(organizationId: string, deviceId: string): Promise<number>;
  /** Those that count now at this place; `hostKey`: only for this host. Oldest first. */
  listActive(organizationId: string, scope: ApprovalScope, hostKey?: string): Promise<readonly Exception[]>;
  /** Ids of the devices for which one of their own counts now. */
  listActiveDevices(organizationId: string): Promise<readonly string[]>;
  /** In one statement: of two who decide at once, one wins. null: not there, or no longer pending. */
  decide(
    organizationId: string,
    exceptionId: string,
    decision: ApprovalDecision & { readonly minutes: number },
  ): Promise<Exception | null>;
  /** null: not there, or neither pending nor counting now. */
  cancel(organizationId: string, exceptionId: string, cancelledBy: string): Promise<Exception | null>;
  /** Whether there is any for closeExpired to write: active or pending ones whose time is over. */
  hasExpired(): Promise<boolean>;
  /** Writes down the end of those that ran out, of any organization; returns those this call wrote, at most 100. */
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
  /** Approved ones that hold at this place. */
  listApproved(organizationId: string, scope: ApprovalScope): Promise<readonly ToolRequest[]>;
  /** Ids of the devices of which one of their own is approved. */
  listDevicesApproved(organizationId: string): Promise<readonly string[]>;
  decide(organizationId: string, requestId: string, decision: ApprovalDecision): Promise<ToolRequest | null>;
  /** null: not there, or neither pending nor approved. */
  cancel(organizationId: string, requestId: string, cancelledBy: string): Promise<ToolRequest | null>;
  /** Whether there is any for closeExpired to write. */
  hasExpired(): Promise<boolean>;
  /** As for exceptions, of requests that were not decided in time. */
  closeExpired(): Promise<readonly ToolRequest[]>;
  changedSince(organizationIds: readonly string[], sinceMs: number): Promise<readonly ToolRequest[]>;
}
