import type {
  DecidedBy,
  Decision,
  Direction,
  FailMode,
  ThreatType,
  UnscannedReason,
} from '@csg/shared/contract';
import type { SlotRole } from '@csg/shared/text';
import type { AuditEntry } from './audit.ts';
import type { NewDelivery } from './deliveries.ts';

/** The position and reason of a finding. Never contains the matched text. */
export interface EventFinding {
  readonly rule: string;
  readonly type: ThreatType;
  /** RFC 6901 pointer of the slot. */
  readonly path: string;
  readonly role: SlotRole;
  /** UTF-16 offsets into the slot's text. */
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  /** Presets only report this finding; a policy that names its type acts on it. */
  readonly reportOnly?: boolean;
  /** The passage with the finding was withheld. */
  readonly isWithheld?: boolean;
  /** For attacks in a text that was not allowed: the key of the text, as in `AllowedTexts`. */
  readonly textKey?: string;
  /** For tool calls: the tool, if its name is a plain identifier. */
  readonly tool?: string;
}

export interface EventUnscanned {
  /** Index or JSON pointer of the part. */
  readonly at: number | string;
  readonly reason: UnscannedReason;
}

/** `evt_…` (`newEventId(nowMs)`), or the id a device gave it. */
export interface SecurityEvent {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly keyId: string | null;
  readonly deviceId: string | null;
  readonly requestId: string | null;
  readonly direction: Direction;
  /** Route or source, such as `guard` or `chat/completions`. */
  readonly route: string;
  readonly model: string | null;
  readonly decision: Decision;
  readonly threatType: ThreatType | null;
  readonly confidence: number;
  readonly findings: readonly EventFinding[];
  readonly unscanned: readonly EventUnscanned[];
  /** Set if the scan could not run: the reason, and the fail mode that was applied. */
  readonly failed: { readonly reason: string; readonly failMode: FailMode } | null;
  readonly latencyUs: number;
  readonly atMs: number;
  /** Absent: recorded by a version without this field. */
  readonly decidedBy?: DecidedBy;
  /** Set if the engine on the device evaluated the texts, not the service. */
  readonly evaluatedBy?: 'device';
  /** The run that the request belongs to: the client's name of it, or `run_…` of a recognized conversation. */
  readonly session?: string | null;
  /** The client's labels, as `name=value`. */
  readonly tags?: readonly string[];
}

/** What a search text resolves to. */
export interface EventSearch {
  /** An event's or request's id, or the prefix of a rule's id. */
  readonly text: string;
  readonly projectIds: readonly string[];
  readonly keyIds: readonly string[];
  readonly deviceIds: readonly string[];
}

/** Opaque to callers; from `EventPage.next`. */
export type EventCursor = string;

export interface EventFilter {
  readonly projectId?: string;
  readonly keyId?: string;
  readonly deviceId?: string;
  readonly decision?: Decision;
  readonly threatType?: ThreatType;
  readonly direction?: Direction;
  readonly model?: string;
  /** Only events decided by this policy. */
  readonly policyId?: string;
  /** Only events that match any of these. */
  readonly search?: EventSearch;
  /** Only events from these keys or devices. */
  readonly sentBy?: Pick<EventSearch, 'keyIds' | 'deviceIds'>;
  /** Only events in which this rule matched. */
  readonly rule?: string;
  /** Only events of this run. */
  readonly session?: string;
  /** Only events with this label, as `name=value`. */
  readonly tag?: string;
  /** Only events with findings. */
  readonly hasFindings?: true;
  readonly fromMs?: number;
  /** Not included. */
  readonly toMs?: number;
}

/** `confidence`: only events with a threat, because the others have no confidence. */
export interface EventSort {
  readonly by: 'time' | 'confidence';
  readonly order: 'asc' | 'desc';
}

export interface EventPage {
  readonly events: readonly SecurityEvent[];
  /** null: this is the last page. */
  readonly next: EventCursor | null;
}

export interface Events {
  get(organizationId: string, eventId: string): Promise<SecurityEvent | null>;
  /** Returns the stored events among these ids, in no particular order. */
  find(organizationId: string, eventIds: readonly string[]): Promise<readonly SecurityEvent[]>;
  /**
   * Returns a page by keyset: the last page is as fast as the first. At most 1,000 events (default 50), newest first
   * by default. Throws `rejected` if `after` is not a cursor for this sort order.
   */
  page(
    organizationId: string,
    query?: {
      readonly filter?: EventFilter;
      readonly limit?: number;
      readonly after?: EventCursor;
      readonly sort?: EventSort;
    },
  ): Promise<EventPage>;
  /** How many match, counted only as far as `atMost`. */
  count(organizationId: string, filter: EventFilter, atMost: number): Promise<number>;
  /**
   * Deletes events older than the retention of their project, and events without a project that are older than
   * `otherDays` days, in steps; returns how many. Each step writes an audit row that names the deleted events.
   */
  pruneExpired(nowMs: number, otherDays: number): Promise<number>;
  /** Deletes older events in steps; returns how many. Each step writes an audit row that names the deleted events. */
  prune(organizationId: string, projectId: string | null, beforeMs: number): Promise<number>;
}

/** A call of a model provider. `tokens` is null if the response did not report its usage. */
export interface ProviderCall {
  readonly isError: boolean;
  readonly ms: number;
  readonly tokens: { readonly input: number; readonly output: number } | null;
}

/** Everything stored for one decision, written atomically. */
export interface DecisionRecord {
  readonly event: SecurityEvent;
  /** Kind `policy_allow` or `policy_block`; appended to the chain of the event's organization. */
  readonly audit: Omit<AuditEntry, 'organizationId'>;
  /** The request to count with the decision, if `usage.admit` was not called for it. */
  readonly usage?: { readonly accountId: string; readonly device: boolean };
  /** The provider call whose response was decided, counted with the decision. */
  readonly call?: ProviderCall | undefined;
  /** Webhook deliveries for the decision. */
  readonly notices?: readonly NewDelivery[];
  /** True if the client named the session of the event: its usage is then also summed by it. */
  readonly isSessionNamed?: boolean;
}

export interface Decisions {
  /**
   * Resolves once committed. Callers in one turn of the event loop share a transaction. An event id that the
   * organization already has changes nothing (no second audit row, no second count). Rejects with StorageError
   * `disk_full`, `unavailable` or `rejected` (this record itself is invalid), and then nothing of it is stored.
   */
  record(record: DecisionRecord): Promise<void>;
}
