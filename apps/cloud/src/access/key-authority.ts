import { CodedError, type KeyRecord } from '@csg/shared/contract';
import type { Key, KeyLimits, ProjectRole, Repositories, Role } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { hasRole, higherRole, requireRole } from './require-role.ts';

/** A restricted key may grant or reveal only permissions that it has itself. */
export function requireCoverage(caller: Caller, permissions: readonly string[]): void {
  if (caller.permissions.length === 0) return;
  const own: readonly string[] = caller.permissions;
  const missing = permissions.length === 0 ? 'unrestricted' : permissions.find((name) => !own.includes(name));
  if (missing !== undefined) {
    throw new CodedError('insufficient_scope', {
      message: 'A restricted key cannot grant or reveal permissions that it does not have itself.',
      fields: { required_scope: missing },
    });
  }
}

/** Members may change and reveal their own keys; admins of the organization or the project those of everyone. */
export function canManageKey(
  person: { readonly userId: string; readonly role: Role; readonly projectRoles: readonly ProjectRole[] },
  key: Key,
): boolean {
  const inProject = person.projectRoles.find(({ projectId }) => projectId === key.projectId);
  const role = higherRole(person.role, inProject?.role);
  return hasRole(role, person.userId === key.userId ? 'member' : 'admin');
}

/** Requires the same of a caller that is at least a member. A key acts as its creator. */
export async function requireOwnKey(
  repositories: Pick<Repositories, 'members'>,
  caller: Caller,
  key: Key,
): Promise<void> {
  if (caller.userId === key.userId) return;
  const message = 'Another member created this key. Only that member or an admin can do this.';
  await requireRole({ storage: repositories }, caller, 'admin', { projectId: key.projectId, message });
}

/**
 * Returns when the acting key expires: keys that it creates or reveals must not expire later. Null: never, or a person
 * acts. Read in the transaction, because the key may have changed since it was authenticated.
 */
export async function readCallerExpiry(
  repositories: Pick<Repositories, 'keys'>,
  caller: Caller,
  nowMs: number,
): Promise<number | null> {
  if (caller.keyId === null) return null;
  const key = await repositories.keys.get(caller.organizationId, caller.keyId);
  if (key === null) throw new CodedError('invalid_api_key');
  if (!key.isActive) throw new CodedError('disabled_api_key');
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) throw new CodedError('expired_api_key');
  return key.expiresAtMs;
}

/** Returns the limits of the acting key; a person has none. Read in the transaction, like its expiry. */
export async function readCallerLimits(
  repositories: Pick<Repositories, 'keys'>,
  caller: Caller,
): Promise<KeyLimits> {
  const key = caller.keyId === null ? null : await repositories.keys.get(caller.organizationId, caller.keyId);
  return key ?? { allowedModels: [], dailyTokenLimit: null };
}

/** A key with limits may not grant or reveal a key with wider limits. */
export function requireLimits(own: KeyLimits, limits: KeyLimits): void {
  requireModels(own, limits);
  if (lowerOf(limits.dailyTokenLimit, own.dailyTokenLimit) !== limits.dailyTokenLimit)
    throw beyondLimits('daily_token_limit');
}

export function requireModels(own: KeyLimits, { allowedModels }: KeyLimits): void {
  if (own.allowedModels.length === 0) return;
  const within =
    allowedModels.length > 0 && allowedModels.every((model) => own.allowedModels.includes(model));
  if (!within) throw beyondLimits('allowed_models');
}

function beyondLimits(limit: keyof Pick<KeyRecord, 'allowed_models' | 'daily_token_limit'>): CodedError {
  return new CodedError('insufficient_scope', {
    message: `A key with ${limit} cannot grant or reveal a wider ${limit}.`,
    fields: { required_scope: 'unrestricted' },
  });
}

/** Returns the lower limit or the earlier expiry; null means none. */
export function lowerOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
