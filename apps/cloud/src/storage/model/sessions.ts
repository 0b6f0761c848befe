import type { PlanName, SubscriptionStatus } from '@csg/shared/contract';
import { bytes, hidden, number, orNull, type RecordOf, table, text } from '../table.ts';
import type { OrganizationKind, Role } from './accounts.ts';

/** `ses_…`. A signed-in browser. Its token is stored only as a hash. */
export const sessionTable = table({
  id: text,
  userId: text,
  /** The organization selected in it; null: none yet, or it was deleted. */
  organizationId: orNull(text),
  /** The organization whose provider authenticated the person: the session is valid for it only. */
  ssoOrganizationId: orNull(text),
  csrfToken: text,
  address: text,
  userAgent: text,
  createdAtMs: number,
  rotatedAtMs: number,
  lastSeenAtMs: number,
  /** Absolute expiry, regardless of activity. */
  expiresAtMs: number,
  tokenHash: hidden(bytes),
  /** The token before the last rotation, while requests with it may still arrive. */
  previousHash: hidden(orNull(bytes)),
  previousUntilMs: hidden(orNull(number)),
});
export type Session = RecordOf<typeof sessionTable>;

/** Everything a dashboard request needs to know about its sender, from one query. Facts only: the caller decides. */
export interface SessionForRequest extends Session, PersonForRequest {
  /** `previous`: the token before the last rotation, of a request that may have been sent before it. */
  readonly presented: 'current' | 'previous';
  /** True if the browser has used the token of the last rotation. */
  readonly isRotationSeen: boolean;
}

/** A person in an organization, with current values. */
export interface PersonForRequest {
  readonly email: string;
  readonly name: string | null;
  readonly emailVerifiedAtMs: number | null;
  readonly hasSecondFactor: boolean;
  /** Membership in the selected organization; null: not a member. */
  readonly membership: MembershipFacts | null;
}

export interface MembershipFacts {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly organizationKind: OrganizationKind;
  readonly role: Role;
  readonly requiresSecondFactor: boolean;
  readonly ssoOnly: boolean;
  /** The organization's owner, whose plan it shares. */
  readonly accountId: string;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly plan: PlanName;
  readonly perMinute: number | null;
  readonly monthly: number | null;
  readonly spendCapUsd: number | null;
  readonly onDemand: boolean;
}

export interface Sessions {
  /** `token` is returned only here. */
  create(input: {
    readonly userId: string;
    readonly organizationId: string | null;
    readonly ssoOrganizationId?: string;
    readonly address: string;
    readonly userAgent: string;
    readonly expiresAtMs: number;
  }): Promise<{ readonly session: Session; readonly token: string }>;
  /** null: unknown or ended. The caller checks the expiry. */
  find(token: string, nowMs: number): Promise<SessionForRequest | null>;
  /** Records the use of the session. */
  touch(sessionId: string, seen: { readonly atMs: number; readonly address: string }): Promise<void>;
  /**
   * Rotates the token. The previous one stays valid until the new one is used, and for 30 seconds more. null: another
   * request rotated it first.
   */
  rotate(sessionId: string, rotatedAtMs: number, nowMs: number): Promise<string | null>;
  /** Records that the browser has the new token: the previous one expires at `untilMs`. */
  settleRotation(sessionId: string, untilMs: number): Promise<void>;
  select(sessionId: string, organizationId: string): Promise<void>;
  /** The person of a session that has not expired; null: there is none. */
  findUser(sessionId: string, nowMs: number): Promise<string | null>;
  /** Most recently used first. */
  list(userId: string): Promise<readonly Session[]>;
  /** false: the person has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of a person, except the given one; returns how many. */
  endAll(userId: string, exceptId?: string): Promise<number>;
  /** Ends sessions that an organization's provider authenticated; returns how many. */
  endSso(organizationId: string): Promise<number>;
  /** Deletes sessions that expired before `nowMs` or were last used before `idleSinceMs`. */
  prune(nowMs: number, idleSinceMs: number): Promise<number>;
}
