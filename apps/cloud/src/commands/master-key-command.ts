import type { Command } from 'commander';
import type { Shell } from '../run-process.ts';
import type { MasterKeyUse, Resealed } from '../storage/storage.ts';
import { print, withAccount, withStorage } from './with-storage.ts';

export function addMasterKeyCommand(program: Command, shell: Shell): void {
  const masterKey = program.command('master-key').description('the key that encrypts all stored secrets');
  masterKey
    .command('status')
    .description('show the master keys in use and what each encrypts')
    .option('--json', 'print one JSON object')
    .action((options: { readonly json?: boolean }) =>
      withStorage(shell, async (storage) => {
        const keys = await storage.masterKeys.status();
        print(
          shell,
          options.json,
          {
            keys: keys.map(({ keyId, role, values, byColumn: counts }) => ({
              id: keyId,
              role,
              values,
              places: counts,
            })),
          },
          [...keys.map(lineOf), ...adviceOn(keys)],
        );
      }),
    );
  masterKey
    .command('rotate')
    .description('re-encrypt all secrets with the current key, while the service runs')
    .option('--json', 'print one JSON object')
    .action((options: { readonly json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const before = await storage.masterKeys.status();
        const current = before[0]!;
        const others = before.filter((key) => key.role !== 'current' && key.values > 0);
        const note = (kind: string, data: object) =>
          storage.audit.append({
            organizationId,
            kind,
            actor: 'operator',
            subject: current.keyId,
            data: { ...data },
          });
        if (others.length > 0) {
          await note('master_key_rotation_started', { from: others.map((key) => key.keyId) });
        }
        const done = await storage.masterKeys.reseal();
        const values = { resealed: done.byColumn, unreadable: done.unreadable, left: done.left };
        if (others.length > 0)
          await note('master_key_rotated', { from: others.map((key) => key.keyId), ...values });
        print(shell, options.json, { id: done.keyId, values: done.values, ...values }, [
          done.values === 0
            ? `Nothing had to be re-encrypted with master key ${done.keyId}.`
            : `${done.values} values were re-encrypted with master key ${done.keyId}: ${describeCounts(done.byColumn)}.`,
          ...problemsOf(done),
        ]);
        if (done.left > 0 || done.unreadable.length > 0) shell.exitCode = 1;
      }),
    );
}

function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

const ROLES = {
  current: 'current',
  previous: 'configured as a previous key',
  unknown: 'NOT CONFIGURED',
} as const satisfies Record<MasterKeyUse['role'], string>;

function lineOf({ keyId, role, values, byColumn: counts }: MasterKeyUse): string {
  return `${keyId}  ${ROLES[role]}: ${values === 0 ? 'encrypts nothing' : `${values} values (${describeCounts(counts)})`}`;
}

function adviceOn(keys: readonly MasterKeyUse[]): readonly string[] {
  const previous = keys.filter((key) => key.role === 'previous');
  if (previous.some((key) => key.values > 0)) {
    return ['`gateway master-key rotate` re-encrypts all of it with the current key.'];
  }
  if (previous.length > 0 && keys.every((key) => key.role !== 'unknown')) {
    return [
      'The previous keys can be removed from the settings. Keep a copy as long as you keep older backups.',
    ];
  }
  return [];
}

function problemsOf({ unreadable, left }: Resealed): readonly string[] {
  const lines = unreadable.map(
    ({ column, row }) =>
      `Not re-encrypted, because no configured key decrypts it or it was changed: ${row} of ${column}.`,
  );
  if (left > 0) {
    lines.push(
      `${left} values were encrypted with another key meanwhile: an instance still uses that key as GATEWAY_MASTER_KEY. Change it there, then run this command again.`,
    );
  }
  return lines;
}
