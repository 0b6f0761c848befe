import type { Command } from 'commander';
import { deleteKey, rotateKey } from '../flows/change-key.ts';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { makeKey } from '../storage/key-format.ts';
import type { Key, Storage } from '../storage/storage.ts';
import { operatorCaller } from './operator-caller.ts';
import { parsePositive } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

const GRACE_MINUTES = 60;

/** Adds `keys list`, `keys rotate` and `keys revoke`. A running service applies changes within a second. */
export function addManageKeysCommand(keys: Command, shell: Shell): void {
  keys
    .command('list')
    .description("list the keys of the operator's organization, without device credentials")
    .option('--json', 'print one JSON object')
    .action((options: { json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const found = (await storage.keys.list(organizationId)).filter(({ deviceId }) => deviceId === null);
        const items = found.map(keyItem);
        print(shell, options.json, { keys: items }, [
          items.length === 0 ? 'No keys. Create one: gateway keys create --name …' : 'Keys:',
          ...items.map(
            ({ id, state, prefix, name, last_used_at: used }) =>
              `  ${id}  ${state.padEnd(8)}  ${prefix}…  ${used === null ? 'never used' : `used ${used}`}  ${name}`,
          ),
        ]);
      }),
    );
  keys
    .command('rotate')
    .description('replace a key; the old key stays valid during a grace period')
    .argument('<id>', 'id of the key, key_…')
    .option(
      '--grace-minutes <n>',
      `grace period of the old key, in minutes (default: ${GRACE_MINUTES})`,
      parsePositive,
    )
    .option('--json', 'print one JSON object')
    .action((id: string, options: { graceMinutes?: number; json?: boolean }) =>
      withAccount(shell, async (storage, account, config) => {
        const caller = await operatorCaller(storage, account, config);
        const made = await rotateKey(depsOf(storage), caller, id, options.graceMinutes ?? GRACE_MINUTES);
        print(shell, options.json, made, [
          `Key "${made.name}" (${made.id}), shown only once. The old key is valid until ${made.old_key_expires_at}.`,
          '',
          `  ${made.key}`,
          '',
        ]);
      }),
    );
  keys
    .command('revoke')
    .description('delete a key: it stops working immediately')
    .argument('<id>', 'id of the key, key_…')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      withAccount(shell, async (storage, account, config) => {
        await deleteKey(depsOf(storage), await operatorCaller(storage, account, config), id);
        print(shell, options.json, { id, revoked: true }, [`Key ${id} is revoked.`]);
      }),
    );
}

function depsOf(storage: Storage) {
  return { storage, clock: SYSTEM_CLOCK, makeKey, forgetKeys: () => {} };
}

function keyItem(key: Key) {
  const isExpired = key.expiresAtMs !== null && key.expiresAtMs <= SYSTEM_CLOCK.now();
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    state: isExpired ? 'expired' : key.isActive ? 'active' : 'disabled',
    project_id: key.projectId,
    permissions: key.permissions,
    last_used_at: time(key.lastUsedAtMs),
    expires_at: time(key.expiresAtMs),
  };
}
