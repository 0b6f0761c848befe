import type { ExceptionStatus, ToolRequestStatus } from '@csg/shared/contract';

/** Who asks, and where it counts. */
export interface Requester {
  readonly projectId: string | null;
  /** Set: it counts for this device alone. Else for the project, and without one for the organization. */
  readonly deviceId: string | null;
  /** Id of the person, device or key. */
  readonly requestedBy: string;
  /** The person behind it, who must not decide it; null: none is known. */
  readonly requesterUserId: string | null;
}

interface Decided {
  /** Who approved, denied or cancelled it. */
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
  readonly decidedAtMs: number | null;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/** `exc_…`. `status` is true at the time of reading: an approved one is `expired` from `expiresAtMs` on. */
export interface Exception extends Requester, Decided {
  readonly id: string;
  readonly organizationId: string;
  readonly destinationHost: string;
  readonly policyId: string | null;
  readonly threat: string | null;
  readonly reasonCategory: string | null;
  readonly justification: string | null;
  readonly requestedMinutes: number;
  readonly status: ExceptionStatus;
  readonly startsAtMs: number | null;
  readonly expiresAtMs: number | null;
}

/** `treq_…` */
export interface ToolRequest extends Requester, Decided {
  readonly id: string;
  readonly organizationId: string;
  readonly requestedHost: string;
  readonly requestedName: string | null;
  readonly justification: string | null;
  readonly status: ToolRequestStatus;
}

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
  /** Whether there is any for closeExpired to write. */
  hasExpired(): Promise<boolean>;
  /** Writes down the end of those that ran out, of any organization; returns those this call wrote, at most 100. */
  closeExpired(): Promise<readonly Exception[]>;
  changedSince(organizationIds: readonly string[], sinceMs: number): Promise<readonly Exception[]>;
}

export interface ToolRequests {
  insert(
    organizationId: string,
    input: Requester & Pick<ToolRequest, 'requestedHost' | 'requestedName' | 'justification'>,
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
  changedSince(organizationIds: readonly string[], sinceMs: number): Promise<readonly ToolRequest[]>;
}
