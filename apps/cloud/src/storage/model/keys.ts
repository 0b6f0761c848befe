import type {
  ExplicitSettings,
  FailMode,
  Permission,
  PlanName,
  StrictnessLevel,
  SubscriptionStatus,
  UseCase,
} from '@csg/shared/contract';
import { bytes, flag, hidden, json, jsonOr, number, orNull, type RecordOf, table, text } from '../table.ts';
import type { OrganizationKind, PolicyWebhook } from './accounts.ts';
import type { WebhookRoute } from './webhooks.ts';

/** `key_…`. Never holds the key itself. */
export const keyTable = table({
  id: text,
  organizationId: text,
  projectId: orNull(text),
  /** Who made it; null for a key of the command line. */
  userId: orNull(text),
  /** Set: a device credential. */
  deviceId: orNull(text),
  name: text,
  /** `svc_live_` and the 8 characters that identify it. */
  prefix: text,
  /** Empty: unrestricted. */
  permissions: json<readonly Permission[]>(),
  /** Empty: all. */
  allowedModels: jsonOr<readonly string[]>([]),
  /** Per UTC day; null: no limit. */
  dailyTokenLimit: orNull(number),
  isActive: flag,
  lastUsedAtMs: orNull(number),
  expiresAtMs: orNull(number),
  createdAtMs: number,
  keyHash: hidden(bytes),
  sealed: hidden(bytes),
});
export type Key = RecordOf<typeof keyTable> & { readonly projectName: string | null };

/** What a key may be used for, beside its permissions. */
export type KeyLimits = Pick<Key, 'allowedModels' | 'dailyTokenLimit'>;

/** Everything a request needs to know about who sent it, read by one query. Facts: the caller decides. */
export interface KeyForAuth {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationKind: OrganizationKind;
  readonly organizationName: string;
  /** Addresses and ranges the organization's keys may be used from; empty: any. */
  readonly allowedIps: readonly string[];
  readonly projectId: string | null;
  readonly projectName: string | null;
  /** Who made it; null for a device credential and for keys of the command line. */
  readonly userId: string | null;
  readonly deviceId: string | null;
  /** Set: the device was revoked. Its keys are deleted with it, so this is only ever a race. */
  readonly deviceRevokedAtMs: number | null;
  /** Empty: unrestricted. */
  readonly permissions: readonly Permission[];
  readonly limits: KeyLimits;
  readonly isActive: boolean;
  readonly expiresAtMs: number | null;
  /** Of the project; without one the defaults: open, default, moderate, false. */
  readonly failMode: FailMode;
  readonly useCase: UseCase;
  readonly strictnessLevel: StrictnessLevel;
  readonly zeroRetention: boolean;
  /** What the project has set itself; empty without one. */
  readonly settings: ExplicitSettings;
  /** Endpoints of its project that are on. */
  readonly webhooks: readonly WebhookRoute[];
  /** Null where there is none that is on. */
  readonly policyWebhook: PolicyWebhook | null;
  /** The organization's owner: limits are shared by all that this user owns. */
  readonly accountId: string;
  readonly accountEmailVerifiedAtMs: number | null;
  /** `none` (and plan free) where the account has no subscription. */
  readonly subscriptionStatus: SubscriptionStatus;
  readonly plan: PlanName;
  /** Null: the plan's own value stands. */
  readonly perMinute: number | null;
  readonly monthly: number | null;
  readonly spendCapUsd: number | null;
  readonly onDemand: boolean;
}

export interface Keys {
  /** The plain key (key-format `makeKey()`) comes in; only its hash and its sealed form are kept. */
  insert(input: {
    readonly organizationId: string;
    readonly projectId: string | null;
    readonly userId: string | null;
    readonly deviceId: string | null;
    readonly name: string;
    readonly permissions: readonly Permission[];
    readonly expiresAtMs: number | null;
    /** Default: none. */
    readonly limits?: KeyLimits;
    readonly key: string;
  }): Promise<Key>;
  /** One query by keyed hash, compared in constant time. null: unknown or deleted. */
  findForAuth(presentedKey: string): Promise<KeyForAuth | null>;
  get(organizationId: string, keyId: string): Promise<Key | null>;
  /** Newest first; without device credentials unless asked for. */
  list(
    organizationId: string,
    filter?: { readonly projectId?: string; readonly devices?: boolean },
  ): Promise<readonly Key[]>;
  /** The whole key, opened with the master key. */
  reveal(
    organizationId: string,
    keyId: string,
  ): Promise<{ readonly key: Key; readonly plain: string } | null>;
  /** null: no such key. */
  setActive(organizationId: string, keyId: string, isActive: boolean): Promise<Key | null>;
  /** Flips it in one statement, so that two callers at once flip twice. */
  toggle(organizationId: string, keyId: string): Promise<Key | null>;
  setLimits(organizationId: string, keyId: string, limits: KeyLimits): Promise<Key | null>;
  setExpiry(organizationId: string, keyId: string, expiresAtMs: number | null): Promise<Key | null>;
  /** Deleted keys are unknown afterwards. false: no such key. */
  remove(organizationId: string, keyId: string): Promise<boolean>;
  /** Of all organizations that an account owns: those that count against its plan, as below. */
  countForAccount(accountId: string, nowMs: number): Promise<number>;
  /** Keys that count against the plan: of people, not of devices, not expired at `nowMs`. null: keys without project. */
  countForProject(organizationId: string, projectId: string | null, nowMs: number): Promise<number>;
  /** Deletes the keys a person made in one organization; returns their ids. Device credentials are not touched. */
  revokeByMember(organizationId: string, userId: string): Promise<readonly string[]>;
  /** Noted in memory and written with others, at most once a minute for a key. Never throws, never waits. */
  touchLastUsed(keyId: string, atMs: number): void;
}
