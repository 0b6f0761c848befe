import type { PlanName, SubscriptionStatus } from '@csg/shared/contract';
import type { OrganizationKind, Role } from '../model/accounts.ts';
import type { MembershipFacts, PersonForRequest } from '../model/sessions.ts';

/**
 * Columns of users, joined with confirmed second factor, membership, its organization and the owner's subscription.
 */
export const PERSON_COLUMNS = [
  'users.email',
  'users.name',
  'users.email_verified_at_ms',
  'second_factors.confirmed_at_ms as second_factor_at_ms',
  'members.role',
  'organizations.name as organization_name',
  'organizations.kind as organization_kind',
  'organizations.owner_id',
  'organizations.requires_second_factor',
  'organizations.sso_only',
  'subscriptions.status',
  'subscriptions.plan',
  'subscriptions.per_minute',
  'subscriptions.monthly',
  'subscriptions.spend_cap_usd',
  'subscriptions.on_demand',
] as const;

interface PersonRow {
  email: string;
  name: string | null;
  email_verified_at_ms: number | null;
  second_factor_at_ms: number | null;
  organization_id: string | null;
  organization_name: string | null;
  organization_kind: OrganizationKind | null;
  role: Role | null;
  owner_id: string | null;
  requires_second_factor: number | null;
  sso_only: number | null;
  status: SubscriptionStatus | null;
  plan: PlanName | null;
  per_minute: number | null;
  monthly: number | null;
  spend_cap_usd: number | null;
  on_demand: number | null;
}

export function toPerson(row: PersonRow): PersonForRequest {
  return {
    email: row.email,
    name: row.name,
    emailVerifiedAtMs: row.email_verified_at_ms,
    hasSecondFactor: row.second_factor_at_ms !== null,
    membership: toMembership(row),
  };
}

function toMembership(row: PersonRow): MembershipFacts | null {
  if (row.role === null || row.organization_id === null || row.owner_id === null) return null;
  return {
    organizationId: row.organization_id,
    organizationName: row.organization_name ?? '',
    organizationKind: row.organization_kind ?? 'team',
    role: row.role,
    requiresSecondFactor: row.requires_second_factor === 1,
    ssoOnly: row.sso_only === 1,
    accountId: row.owner_id,
    subscriptionStatus: row.status ?? 'none',
    plan: row.plan ?? 'free',
    perMinute: row.per_minute,
    monthly: row.monthly,
    spendCapUsd: row.spend_cap_usd,
    onDemand: row.on_demand === 1,
  };
}
