import type { Command } from 'commander';
import type { Shell } from '../run-process.ts';
import { print, withStorage } from './with-storage.ts';

export function addBackupCommand(program: Command, shell: Shell): void {
  program
    .command('backup')
    .description('copy the database and its audit checkpoints into a new folder, while the service runs')
    .requiredOption('--out <folder>', 'a folder that is not there yet (required)')
    .option('--json', 'print one JSON object')
    .action((options: { out: string; json?: boolean }) =>
      withStorage(shell, async (storage) => {
        await storage.backUp(options.out);
        print(shell, options.json, { folder: options.out }, [
          `The copy is in ${options.out}.`,
          'Keep the master key somewhere else: without it no sealed key opens, with it they all do.',
        ]);
      }),
    );
}
