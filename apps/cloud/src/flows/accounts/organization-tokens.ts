import { CodedError, type CreateOrganizationToken, type Plans, ValidationError } from '@csg/shared/contract';
import { accountOf } from '../../access/account-of.ts';
import { hasRole } from '../../access/require-role.ts';
import type { OrganizationToken, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import type { SignedIn } from './read-session.ts';

interface Admin {
  readonly organizationId: string;
  readonly userId: string;
}

const MAX_TOKENS = 50;

/** Creates a token for programs that administer the organization. The token is returned only once, here. */
export async function createOrganizationToken(
  deps: { readonly storage: Pick<Storage, 'transaction'>; readonly clock: Clock },
  { organizationId, userId }: Admin,
  { name, scopes, expires_at: expiresAt }: CreateOrganizationToken,
): Promise<{ readonly record: OrganizationToken; readonly token: string }> {
  const expiresAtMs = expiresAt ? Date.parse(expiresAt) : null;
  if (expiresAtMs !== null && expiresAtMs <= deps.clock.now()) {
    const msg = 'The expiry must be in the future.';
    throw new ValidationError([{ loc: ['body', 'expires_at'], msg, type: 'past' }]);
  }
  return await deps.storage.transaction(async (repositories) => {
    // Of two concurrent calls, the second counts the token of the first.
    await repositories.organizations.lock(organizationId);
    if ((await repositories.organizationTokens.list(organizationId)).length >= MAX_TOKENS) {
      throw new CodedError('plan_limit_reached', {
        message: `An organization can have at most ${MAX_TOKENS} tokens. Delete one first.`,
        fields: { limit: MAX_TOKENS },
      });
    }
    const made = await repositories.organizationTokens.create(organizationId, {
      name: name.trim(),
      scopes,
      createdBy: userId,
      expiresAtMs,
    });
    await repositories.audit.append({
      organizationId,
      kind: 'organization_token_created',
      actor: userId,
      subject: made.record.id,
      data: { scopes: [...scopes], expires_at_ms: expiresAtMs },
    });
    return made;
  });
}

/** Deletes the token: the next request with it is rejected. */
export async function removeOrganizationToken(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  { organizationId, userId }: Admin,
  tokenId: string,
): Promise<void> {
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.organizationTokens.remove(organizationId, tokenId))) {
      throw new CodedError('not_found', { message: 'No such organization token.' });
    }
    await repositories.audit.append({
      organizationId,
      kind: 'organization_token_removed',
      actor: userId,
      subject: tokenId,
      data: {},
    });
  });
}

/** Returns the person a token acts for; null if it is invalid, or its creator is no longer an admin. */
export async function readOrganizationToken(
  deps: {
    readonly storage: Pick<Storage, 'organizationTokens'>;
    readonly plans: Plans;
    readonly clock: Clock;
  },
  presented: string,
): Promise<{ readonly signedIn: SignedIn; readonly token: OrganizationToken } | null> {
  const nowMs = deps.clock.now();
  const found = await deps.storage.organizationTokens.find(presented, nowMs);
  if (found === null) return null;
  const { token, person } = found;
  const { membership } = person;
  if (membership === null || !hasRole(membership.role, 'admin')) return null;
  if (token.expiresAtMs !== null && token.expiresAtMs <= nowMs) return null;
  const { organizationId, organizationName, organizationKind, role, requiresSecondFactor } = membership;
  return {
    token,
    signedIn: {
      sessionId: token.id,
      userId: token.createdBy,
      email: person.email,
      name: person.name,
      isEmailVerified: person.emailVerifiedAtMs !== null,
      hasSecondFactor: person.hasSecondFactor,
      ssoOrganizationId: null,
      csrfToken: '',
      expiresAtMs: token.expiresAtMs ?? Number.MAX_SAFE_INTEGER,
      membership: {
        ...{ organizationId, organizationName, organizationKind, role },
        lacksSso: false,
        lacksSecondFactor: requiresSecondFactor && !person.hasSecondFactor,
        account: accountOf(membership, deps.plans),
      },
    },
  };
}
