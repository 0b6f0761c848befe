import { CodedError, type KeyRecord } from '@csg/shared/contract';
import type { Key, KeyLimits, ProjectRole, Repositories, Role } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import { hasRole, higherRole, requireRole } from './require-role.ts';

/** A restricted key may give, or show, only what it may do itself. */
export function requireCoverage(caller: Caller, permissions: readonly string[]): void {
  if (caller.permissions.length === 0) return;
  const own: readonly string[] = caller.permissions;
  const missing = permissions.length === 0 ? 'unrestricted' : permissions.find((name) => !own.includes(name));
  if (missing !== undefined) {
    throw new CodedError('insufficient_scope', {
      message: 'A restricted key cannot give or show more than it may do itself.',
      fields: { required_scope: missing },
    });
  }
}

/** Members change and reveal the keys they made, admins those of everyone: of the organization, or of the project. */
export function canManageKey(
  person: { readonly userId: string; readonly role: Role; readonly projectRoles: readonly ProjectRole[] },
  key: Key,
): boolean {
  const inProject = person.projectRoles.find(({ projectId }) => projectId === key.projectId);
  const role = higherRole(person.role, inProject?.role);
  return hasRole(role, person.userId === key.userId ? 'member' : 'admin');
}

/** The same for a caller that is a member at least. A key acts as its maker. */
export async function requireOwnKey(
  repositories: Pick<Repositories, 'members'>,
  caller: Caller,
  key: Key,
): Promise<void> {
  if (caller.userId === key.userId) return;
  const message = 'Another member made this key. Only that member or an admin can do this.';
  await requireRole({ storage: repositories }, caller, 'admin', { projectId: key.projectId, message });
}

/**
 * When the key that acts expires: what it makes or reveals expires no later. null: never, or a person acts. Read in
 * the transaction, because the key may have been changed since it was authenticated.
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

/** The limits of the key that acts: none where a person acts. Read in the transaction, like its expiry. */
export async function readCallerLimits(
  repositories: Pick<Repositories, 'keys'>,
  caller: Caller,
): Promise<KeyLimits> {
  const key = caller.keyId === null ? null : await repositories.keys.get(caller.organizationId, caller.keyId);
  return key ?? { allowedModels: [], dailyTokenLimit: null };
}

/** A key with limits may neither give nor show one with wider limits. */
export function requireLimits(own: KeyLimits, limits: KeyLimits): void {
  requireModels(own, limits);
  if (earlierOf(limits.dailyTokenLimit, own.dailyTokenLimit) !== limits.dailyTokenLimit)
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
    message: `A key with ${limit} cannot give or show a key that may do more.`,
    fields: { required_scope: 'unrestricted' },
  });
}

/** The smaller of two limits, the earlier of two ends; null is never. */
export function earlierOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
