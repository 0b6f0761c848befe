import type { PlanName, SubscriptionStatus } from '@csg/shared/contract';
import { bytes, hidden, number, orNull, type RecordOf, table, text } from '../table.ts';
import type { OrganizationKind, Role } from './accounts.ts';

/** `ses_…`. One browser in which a person signed in. Its token is stored only as a hash. */
export const sessionTable = table({
  id: text,
  userId: text,
  /** The organization chosen in it; null: none yet, or it is gone. */
  organizationId: orNull(text),
  /** The organization whose provider vouched for the person: the session counts there alone. */
  ssoOrganizationId: orNull(text),
  csrfToken: text,
  address: text,
  userAgent: text,
  createdAtMs: number,
  rotatedAtMs: number,
  lastSeenAtMs: number,
  /** When it ends whatever is done in it. */
  expiresAtMs: number,
  tokenHash: hidden(bytes),
  /** The token before the last rotation, for as long as it may still be under way. */
  previousHash: hidden(orNull(bytes)),
  previousUntilMs: hidden(orNull(number)),
});
export type Session = RecordOf<typeof sessionTable>;

/** Everything a dashboard request needs to know about who sent it, read by one query. Facts: the caller decides. */
export interface SessionForRequest extends Session, PersonForRequest {
  /** `previous`: the token before the last rotation, which may still be under way. */
  readonly presented: 'current' | 'previous';
  /** Whether the browser has used the token of the last rotation. */
  readonly isRotationSeen: boolean;
}

/** A person in an organization, as they are now. */
export interface PersonForRequest {
  readonly email: string;
  readonly name: string | null;
  readonly emailVerifiedAtMs: number | null;
  readonly hasSecondFactor: boolean;
  /** In the chosen organization; null: not a member of it. */
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
  /** `token` is told once, here. */
  create(input: {
    readonly userId: string;
    readonly organizationId: string | null;
    readonly ssoOrganizationId?: string;
    readonly address: string;
    readonly userAgent: string;
    readonly expiresAtMs: number;
  }): Promise<{ readonly session: Session; readonly token: string }>;
  /** null: unknown or ended. Whether it has expired is the caller's to say. */
  find(token: string, nowMs: number): Promise<SessionForRequest | null>;
  /** Notes that it was used. */
  touch(sessionId: string, seen: { readonly atMs: number; readonly address: string }): Promise<void>;
  /**
   * A new token; the one before goes on working until the new one was seen, and 30 seconds more. null: another
   * request was faster.
   */
  rotate(sessionId: string, rotatedAtMs: number, nowMs: number): Promise<string | null>;
  /** The browser has the new token: the one before ends at `untilMs`. */
  settleRotation(sessionId: string, untilMs: number): Promise<void>;
  select(sessionId: string, organizationId: string): Promise<void>;
  /** The person of a session that has not expired; null: there is none. */
  findUser(sessionId: string, nowMs: number): Promise<string | null>;
  /** Last used first. */
  list(userId: string): Promise<readonly Session[]>;
  /** false: this person has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all of a person's, but the one named; returns how many. */
  endAll(userId: string, exceptId?: string): Promise<number>;
  /** Ends those that an organization's provider vouched for. */
  endSso(organizationId: string): Promise<number>;
  /** Deletes those that ended before `nowMs` or were last used before `idleSinceMs`. */
  prune(nowMs: number, idleSinceMs: number): Promise<number>;
}
