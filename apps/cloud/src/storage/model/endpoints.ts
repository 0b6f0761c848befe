import type { EndpointKind, FailMode, NotificationKind, QuietHours } from '@csg/shared/contract';
import { bytes, flag, hidden, jsonOr, number, orNull, type RecordOf, table, text, word } from '../table.ts';

/** What each kind of endpoint is called with, beside its address. */
interface Kinds {
  /** Receives events of a project. */
  readonly webhook: object;
  /** Takes part in the decisions of a project. */
  readonly policy: { readonly failMode: FailMode; readonly timeoutMs: number };
  /** Tells people of an organization what happened. */
  readonly notification: {
    readonly form: NotificationKind;
    readonly digest: 'hourly' | 'daily' | null;
    readonly quietHours: QuietHours | null;
  };
  /** Receives the signed checkpoints of an organization: a place that this service cannot change. */
  readonly audit: object;
}

export type EndpointDetails<K extends EndpointKind> = Kinds[K];

interface StoredKind<K extends EndpointKind> {
  readonly details: readonly (keyof Kinds[K] & string)[];
  /** The details are stored encrypted, together with the address. */
  readonly sealsDetails?: true;
}

export const STORED_ENDPOINTS: { readonly [K in EndpointKind]: StoredKind<K> } = {
  webhook: { details: [] },
  policy: { details: ['failMode', 'timeoutMs'], sealsDetails: true },
  notification: { details: ['form', 'digest', 'quietHours'] },
  audit: { details: [] },
};

/** An address of a customer that is called: `whk_…`, `pep_…`, `ntf_…`, `aud_…`. */
export const endpointTable = table({
  id: text,
  kind: word<EndpointKind>(),
  organizationId: text,
  /** null: of the organization. */
  projectId: orNull(text),
  /** Sealed, in base64, because addresses contain tokens. null: none; a secret or events may wait for one. */
  address: hidden(orNull(text)),
  /** The details of its kind, as JSON. */
  details: hidden(text),
  isEnabled: flag,
  /** null: all events. */
  events: jsonOr<readonly string[] | null>(null),
  sealedSecret: hidden(orNull(bytes)),
  /** When the secret was made; null: bodies are not signed. */
  secretAtMs: orNull(number),
  previousSealedSecret: hidden(orNull(bytes)),
  /** When the previous secret expires. */
  previousUntilMs: orNull(number),
  /** null: it is not paused. */
  pausedAtMs: orNull(number),
  /** Calls that succeeded and failed, without tests. */
  succeeded: number,
  failed: number,
  /** Failed calls since the last success, without tests. */
  failures: number,
  /** When the first of them failed. */
  failingSinceMs: orNull(number),
  lastError: orNull(text),
  lastSuccessAtMs: orNull(number),
  lastFailureAtMs: orNull(number),
  createdAtMs: number,
});

export type EndpointOf<K extends EndpointKind> = K extends EndpointKind
  ? Omit<RecordOf<typeof endpointTable>, 'kind'> & {
      readonly kind: K;
      readonly url: string | null;
    } & Kinds[K]
  : never;
export type Endpoint = EndpointOf<EndpointKind>;

export type EndpointInput<K extends EndpointKind> = Pick<Endpoint, 'url' | 'isEnabled' | 'events'> & Kinds[K];

/** The policy endpoint of a project, as decisions call it. */
export interface PolicyEndpoint {
  readonly id: string;
  readonly url: string;
  readonly failMode: FailMode;
  readonly timeoutMs: number;
}

/** A webhook of a project, and the events it gets; null: all events. */
export interface WebhookRoute {
  readonly id: string;
  readonly events: readonly string[] | null;
}

/** The enabled endpoints of a project that decisions call. */
export interface ProjectEndpoints {
  readonly webhooks: readonly WebhookRoute[];
  /** null: there is none, or it is disabled or paused. */
  readonly policyWebhook: PolicyEndpoint | null;
}

/** Where a delivery goes, as currently configured. */
export interface DeliveryTarget {
  readonly url: string | null;
  readonly isEnabled: boolean;
  /** Secrets that sign bodies: the current one, then the previous one while it is valid. */
  readonly secrets: readonly string[];
  /** For notifications: how the address is called. */
  readonly form?: NotificationKind;
  /** Set if nothing may be sent, with the reason. */
  readonly problem?: string;
}

/** Calls of an endpoint that were not recorded one by one. */
export interface EndpointCalls {
  readonly endpointId: string;
  readonly succeeded: number;
  readonly lastSuccessAtMs: number;
}

export interface Endpoints {
  /** Oldest first. Endpoints without an address are left out. */
  list<K extends EndpointKind = EndpointKind>(
    organizationId: string,
    filter?: { readonly kind?: K; readonly projectId?: string },
  ): Promise<readonly EndpointOf<K>[]>;
  get(organizationId: string, endpointId: string): Promise<Endpoint | null>;
  /** Returns the one that its project, or else the organization, has under `ownEndpointId`, also without an address. */
  own<K extends EndpointKind>(
    organizationId: string,
    kind: K,
    projectId: string | null,
  ): Promise<EndpointOf<K> | null>;
  /** Those of a project that its decisions call. */
  ofProject(projectId: string): Promise<ProjectEndpoints>;
  insert<K extends EndpointKind>(
    organizationId: string,
    kind: K,
    input: EndpointInput<K> & { readonly projectId?: string; readonly secret?: string | null },
  ): Promise<EndpointOf<K>>;
  /** Creates or changes the one that `own` returns. */
  put<K extends EndpointKind>(
    organizationId: string,
    kind: K,
    projectId: string | null,
    input: Partial<EndpointInput<K>>,
  ): Promise<EndpointOf<K>>;
  /** null: there is none. */
  update<K extends EndpointKind>(
    organizationId: string,
    kind: K,
    endpointId: string,
    change: Partial<EndpointInput<K>>,
  ): Promise<EndpointOf<K> | null>;
  remove(organizationId: string, endpointId: string): Promise<boolean>;
  /** A paused one is not called; its deliveries are kept until it is resumed. false: there is none. */
  pause(organizationId: string, endpointId: string, isPaused: boolean): Promise<boolean>;
  /**
   * The previous secret stays valid until that time; null: it becomes invalid. Returns the time or null; undefined: no
   * such endpoint.
   */
  rotateSecret(
    organizationId: string,
    endpointId: string,
    secret: string,
    previousUntilMs: number | null,
  ): Promise<number | null | undefined>;
  /** false: it had none. */
  removeSecret(organizationId: string, endpointId: string): Promise<boolean>;
  /** Secrets that sign bodies for an endpoint: the current one, then the previous one while it is valid. */
  signingSecrets(endpointId: string): Promise<readonly string[]>;
  /** Organizations that have an endpoint of this kind. */
  listOrganizations(kind: EndpointKind): Promise<readonly string[]>;
  /** Endpoints whose last call failed, if that was after `sinceMs`. */
  listFailing(organizationId: string, sinceMs: number): Promise<readonly Endpoint[]>;
  addCalls(calls: readonly EndpointCalls[]): Promise<void>;
}
