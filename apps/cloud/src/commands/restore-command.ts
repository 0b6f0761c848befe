import type { Command } from 'commander';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import { runProcess, type Shell } from '../run-process.ts';
import { restoreBackup } from '../storage/restore-backup.ts';
import { print } from './with-storage.ts';

export function addRestoreCommand(program: Command, shell: Shell): void {
  program
    .command('restore')
    .description('replace the database with a backup; requires that the service is stopped')
    .requiredOption('--from <folder>', 'folder that backup created (required)')
    .option('--json', 'print one JSON object')
    .action((options: { from: string; json?: boolean }) =>
      runProcess(shell, async ({ databaseUrl, dataDir }) => {
        if (databaseUrl !== undefined)
          throw new Error('The database is on PostgreSQL: restore it with pg_restore (docs/backup.md).');
        const replaced = await restoreBackup({ folder: options.from, dataDir, nowMs: SYSTEM_CLOCK.now() });
        print(shell, options.json, { restored: options.from, replaced }, [
          `The database in ${dataDir} is now the one from ${options.from}.`,
          ...(replaced === null ? [] : [`The previous one is in ${replaced}.`]),
          'Use the master key of the backup, verify the record with "audit verify", then start the service.',
        ]);
      }),
    );
}
