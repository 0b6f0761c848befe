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
import type { OrganizationKind } from './accounts.ts';
import type { ProjectEndpoints } from './endpoints.ts';

/** `key_…`. Never contains the key itself. */
export const keyTable = table({
  id: text,
  organizationId: text,
  projectId: orNull(text),
  /** User who created it; null for a key created on the command line. */
  userId: orNull(text),
  /** Set for device credentials. */
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

/** Limits of a key in addition to its permissions. */
export type KeyLimits = Pick<Key, 'allowedModels' | 'dailyTokenLimit'>;

/** Everything a request needs to know about its sender, from one query. Facts only: the caller decides. */
export interface KeyForAuth extends ProjectEndpoints {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationKind: OrganizationKind;
  readonly organizationName: string;
  /** Addresses and ranges from which the organization's keys may be used; empty: any. */
  readonly allowedIps: readonly string[];
  readonly projectId: string | null;
  readonly projectName: string | null;
  /** User who created it; null for device credentials and keys created on the command line. */
  readonly userId: string | null;
  readonly deviceId: string | null;
  /** Set if the device was revoked. Its keys are deleted with it, so this only occurs in a race. */
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
  /** Settings that the project has set explicitly; empty without a project. */
  readonly settings: ExplicitSettings;
  /** The organization's owner: limits are shared by all organizations of this user. */
  readonly accountId: string;
  readonly accountEmailVerifiedAtMs: number | null;
  /** `none` (and plan free) if the account has no subscription. */
  readonly subscriptionStatus: SubscriptionStatus;
  readonly plan: PlanName;
  /** null: the value of the plan applies. */
  readonly perMinute: number | null;
  readonly monthly: number | null;
  readonly spendCapUsd: number | null;
  readonly onDemand: boolean;
}

export interface Keys {
  /** Takes the plain key (key-format `makeKey()`); stores only its hash and its sealed form. */
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
  /** Finds the key by keyed hash in one query and compares in constant time. null: unknown or deleted. */
  findForAuth(presentedKey: string): Promise<KeyForAuth | null>;
  get(organizationId: string, keyId: string): Promise<Key | null>;
  /** Newest first; device credentials are included only on request. */
  list(
    organizationId: string,
    filter?: { readonly projectId?: string; readonly devices?: boolean },
  ): Promise<readonly Key[]>;
  /** Returns the whole key, decrypted with the master key. */
  reveal(
    organizationId: string,
    keyId: string,
  ): Promise<{ readonly key: Key; readonly plain: string } | null>;
  /** null: no such key. */
  setActive(organizationId: string, keyId: string, isActive: boolean): Promise<Key | null>;
  /** Toggles in one statement, so that two concurrent callers toggle twice. */
  toggle(organizationId: string, keyId: string): Promise<Key | null>;
  setLimits(organizationId: string, keyId: string, limits: KeyLimits): Promise<Key | null>;
  setExpiry(organizationId: string, keyId: string, expiresAtMs: number | null): Promise<Key | null>;
  /** A deleted key is unknown afterwards. false: no such key. */
  remove(organizationId: string, keyId: string): Promise<boolean>;
  /** Counts the keys of all organizations that an account owns, by the rules of `countForProject`. */
  countForAccount(accountId: string, nowMs: number): Promise<number>;
  /** Counts keys that apply to the plan: not of devices, not expired at `nowMs`. null: keys without a project. */
  countForProject(organizationId: string, projectId: string | null, nowMs: number): Promise<number>;
  /** Deletes the keys that a person created in one organization, except device credentials; returns their ids. */
  revokeByMember(organizationId: string, userId: string): Promise<readonly string[]>;
  /**
   * Collected in memory and written with other changes, at most once a minute for each key. Never throws or blocks.
   */
  touchLastUsed(keyId: string, atMs: number): void;
}
