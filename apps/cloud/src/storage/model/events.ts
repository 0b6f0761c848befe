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
import type { NewDelivery } from './webhooks.ts';

/** Where and why something fired. Never the matched text. */
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
  /** Presets only report it; a policy that names its type acts on it. */
  readonly reportOnly?: boolean;
  /** The passage that it stands in was withheld. */
  readonly isWithheld?: boolean;
  /** Of an attack in what was not allowed: the text it stands in, as `AllowedTexts` knows it. */
  readonly textKey?: string;
  /** Of a tool call: the tool, if its name is a plain word. */
  readonly tool?: string;
}

export interface EventUnscanned {
  /** Index or pointer of the part. */
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
  /** Set: the scan could not run, and what the project's fail mode made of it. */
  readonly failed: { readonly reason: string; readonly failMode: FailMode } | null;
  readonly latencyUs: number;
  readonly atMs: number;
  /** Absent: it was recorded before this was. */
  readonly decidedBy?: DecidedBy;
  /** Set: the engine on the device judged texts, not the service. */
  readonly evaluatedBy?: 'device';
}

/** What a text that people search for stands for. */
export interface EventSearch {
  /** An event's or request's id, or how a rule's id begins. */
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
  /** Only those that this policy decided. */
  readonly policyId?: string;
  /** Only those that have one of these. */
  readonly search?: EventSearch;
  /** Only those of these keys or devices. */
  readonly sentBy?: Pick<EventSearch, 'keyIds' | 'deviceIds'>;
  /** Only those in which this rule matched. */
  readonly rule?: string;
  /** Only those in which something was found. */
  readonly hasFindings?: true;
  readonly fromMs?: number;
  /** Not included. */
  readonly toMs?: number;
}

/** By confidence: only events with a threat, the others have none. */
export interface EventSort {
  readonly by: 'time' | 'confidence';
  readonly order: 'asc' | 'desc';
}

export interface EventPage {
  readonly events: readonly SecurityEvent[];
  /** null: no further ones. */
  readonly next: EventCursor | null;
}

export interface Events {
  get(organizationId: string, eventId: string): Promise<SecurityEvent | null>;
  /** Those of these ids that are stored, in no order. */
  find(organizationId: string, eventIds: readonly string[]): Promise<readonly SecurityEvent[]>;
  /**
   * Keyset: as fast on the last page as on the first. At most 1,000 a page (default 50), newest first by default.
   * Throws `rejected` where `after` is no cursor of this sort.
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
  /**
   * Deletes events that are older than their project keeps them, and those of no project that are older than
   * `otherDays`, in steps; returns how many. Each step writes an audit row that names what went.
   */
  pruneExpired(nowMs: number, otherDays: number): Promise<number>;
  /** Deletes events older than that, in steps; returns how many. Each step writes an audit row that names what went. */
  prune(organizationId: string, projectId: string | null, beforeMs: number): Promise<number>;
}

/** A call of a model provider. Without `tokens` the response said nothing of its usage. */
export interface ProviderCall {
  readonly isError: boolean;
  readonly ms: number;
  readonly tokens: { readonly input: number; readonly output: number } | null;
}

/** What one decision leaves behind, all of it or nothing. */
export interface DecisionRecord {
  readonly event: SecurityEvent;
  /** Kind `policy_allow` or `policy_block`; chained under the event's organization. */
  readonly audit: Omit<AuditEntry, 'organizationId'>;
  /** A request to be counted with it, where `usage.admit` was not asked. */
  readonly usage?: { readonly accountId: string; readonly device: boolean };
  /** The call whose response was decided about, counted with it. */
  readonly call?: ProviderCall | undefined;
  /** What receivers are told of it. */
  readonly notices?: readonly NewDelivery[];
}

export interface Decisions {
  /**
   * Resolves once committed. Callers of one turn of the event loop share a transaction. An event id already in
   * the organization changes nothing (no second audit row, no second count). Rejects with StorageError
   * `disk_full`, `unavailable` or `rejected` (this record's own fault), and then nothing of it is stored.
   */
  record(record: DecisionRecord): Promise<void>;
}
