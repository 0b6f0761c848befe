import { type ChangeKeyLimits, CodedError, type CreatedKey, type RevealedKey } from '@csg/shared/contract';
import type { Caller } from '../access/caller.ts';
import {
  lowerOf,
  readCallerExpiry,
  readCallerLimits,
  requireCoverage,
  requireLimits,
  requireOwnKey,
} from '../access/key-authority.ts';
import { requireRoleForUpdate } from '../access/require-role.ts';
import type { JsonObject, Key, Repositories } from '../storage/storage.ts';
import type { KeyDeps } from './create-key.ts';

export interface ChangeKeyDeps extends KeyDeps {
  /** Makes every request read its key again, so that changes take effect immediately on this instance. */
  readonly forgetKeys: () => void;
}

export function toggleKey(deps: ChangeKeyDeps, caller: Caller, keyId: string): Promise<Key> {
  return change(deps, caller, keyId, async (repositories, key) => {
    const toggled = await repositories.keys.toggle(caller.organizationId, key.id);
    if (toggled === null) throw unknownKey();
    return { result: toggled, kind: toggled.isActive ? 'key_enabled' : 'key_disabled' };
  });
}

/** Changes limits. An omitted limit stays; a daily limit of null removes it. */
export function changeKeyLimits(
  deps: ChangeKeyDeps,
  caller: Caller,
  keyId: string,
  { allowed_models: allowedModels, daily_token_limit: dailyTokenLimit }: ChangeKeyLimits,
): Promise<Key> {
  return change(deps, caller, keyId, async (repositories, key) => {
    const limits = {
      allowedModels: allowedModels ?? key.allowedModels,
      dailyTokenLimit: dailyTokenLimit === undefined ? key.dailyTokenLimit : dailyTokenLimit,
    };
    requireLimits(await readCallerLimits(repositories, caller), limits);
    const changed = await repositories.keys.setLimits(caller.organizationId, key.id, limits);
    if (changed === null) throw unknownKey();
    return {
      result: changed,
      kind: 'key_limits_changed',
      data: { ...limitsData(limits), before: limitsData(key) },
    };
  });
}

function limitsData({ allowedModels, dailyTokenLimit }: Pick<Key, 'allowedModels' | 'dailyTokenLimit'>) {
  return { allowed_models: allowedModels.join(', '), daily_token_limit: dailyTokenLimit ?? 'none' };
}

export function deleteKey(deps: ChangeKeyDeps, caller: Caller, keyId: string): Promise<void> {
  return change(deps, caller, keyId, async (repositories, key) => {
    await repositories.keys.remove(caller.organizationId, key.id);
    return { result: undefined, kind: 'key_deleted' };
  });
}

/** Returns the whole key again. The audit log records this before the key is shown. */
export async function revealKey(deps: ChangeKeyDeps, caller: Caller, keyId: string): Promise<RevealedKey> {
  return change(deps, caller, keyId, async (repositories, key) => {
    const callerEndsMs = await readCallerExpiry(repositories, caller, deps.clock.now());
    if (lowerOf(callerEndsMs, key.expiresAtMs) !== key.expiresAtMs) {
      throw new CodedError('insufficient_scope', {
        message: 'An expiring key cannot reveal a key that expires later or never.',
        fields: { required_scope: 'unrestricted' },
      });
    }
    const revealed = await repositories.keys.reveal(caller.organizationId, key.id);
    if (revealed === null) throw unknownKey();
    return {
      result: { id: key.id, name: key.name, prefix: key.prefix, key: revealed.plain },
      kind: 'key_revealed',
    };
  });
}

/**
 * Creates a new key to replace an old one, which remains valid until the grace period ends. It expires when the old one
 * would have: only newly created keys live longer.
 */
export async function rotateKey(
  deps: ChangeKeyDeps,
  caller: Caller,
  keyId: string,
  graceMinutes: number,
): Promise<CreatedKey & { replaces: string; old_key_expires_at: string }> {
  const plain = deps.makeKey();
  const nowMs = deps.clock.now();
  const graceEndsMs = nowMs + graceMinutes * 60_000;
  return change(deps, caller, keyId, async (repositories, old) => {
    if (old.expiresAtMs !== null && old.expiresAtMs <= nowMs) {
      throw new CodedError('invalid_state', {
        message: 'This key has expired, and a rotated key would keep its expiry. Create a new key.',
        fields: { status: 'expired' },
      });
    }
    // A second rotation must not extend the life of the old key.
    const oldEndsMs = Math.min(graceEndsMs, old.expiresAtMs ?? graceEndsMs);
    const fresh = await repositories.keys.insert({
      organizationId: caller.organizationId,
      projectId: old.projectId,
      userId: caller.userId ?? old.userId,
      deviceId: null,
      name: old.name,
      permissions: old.permissions,
      limits: { allowedModels: old.allowedModels, dailyTokenLimit: old.dailyTokenLimit },
      expiresAtMs: lowerOf(old.expiresAtMs, await readCallerExpiry(repositories, caller, nowMs)),
      key: plain,
    });
    await repositories.keys.setExpiry(caller.organizationId, old.id, oldEndsMs);
    return {
      result: {
        key: plain,
        id: fresh.id,
        name: fresh.name,
        prefix: fresh.prefix,
        replaces: old.id,
        old_key_expires_at: new Date(oldEndsMs).toISOString(),
      },
      kind: 'key_rotated',
      data: { new_key_id: fresh.id, old_key_expires_at_ms: oldEndsMs },
    };
  });
}

/** Finds the key, checks the caller's permissions, changes it and writes the audit row, all or nothing. */
async function change<T>(
  deps: ChangeKeyDeps,
  caller: Caller,
  keyId: string,
  work: (repositories: Repositories, key: Key) => Promise<{ result: T; kind: string; data?: JsonObject }>,
): Promise<T> {
  const done = await deps.storage.transaction(async (repositories) => {
    const key = await repositories.keys.get(caller.organizationId, keyId);
    await requireRoleForUpdate(repositories, caller, 'member', { projectId: key?.projectId ?? null });
    if (key === null || key.deviceId !== null) throw unknownKey();
    await requireOwnKey(repositories, caller, key);
    requireCoverage(caller, key.permissions);
    requireLimits(await readCallerLimits(repositories, caller), key);
    const { result, kind, data } = await work(repositories, key);
    await repositories.audit.append({
      organizationId: caller.organizationId,
      kind,
      actor: caller.actor,
      subject: key.id,
      data: data ?? {},
    });
    return result;
  });
  deps.forgetKeys();
  return done;
}

function unknownKey(): CodedError {
  return new CodedError('not_found', { message: 'No such key.' });
}
