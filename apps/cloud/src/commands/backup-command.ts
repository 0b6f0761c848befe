import type { Command } from 'commander';
import type { Shell } from '../run-process.ts';
import { print, withStorage } from './with-storage.ts';

export function addBackupCommand(program: Command, shell: Shell): void {
  program
    .command('backup')
    .description('copy the database and its audit checkpoints into a new folder, while the service runs')
    .requiredOption('--out <folder>', 'folder to create (required)')
    .option('--json', 'print one JSON object')
    .action((options: { out: string; json?: boolean }) =>
      withStorage(shell, async (storage) => {
        await storage.backUp(options.out);
        print(shell, options.json, { folder: options.out }, [
          `The copy is in ${options.out}.`,
          'Store the master key separately: it decrypts every secret in the copy, and without it none can be decrypted.',
        ]);
      }),
    );
}
