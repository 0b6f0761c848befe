import { Command } from 'commander';
import { runProcess } from '../run-process.ts';

/** The command for `npm start` and `gateway serve`. */
export function serveCommand(name: string): Command {
  return new Command(name)
    .description('run the service')
    .option('--workers <number>', 'number of processes on this host (WORKERS)')
    .showHelpAfterError('(see --help)')
    .action(async ({ workers }: { workers?: string }) => {
      // Loaded here, because the other commands need no web server.
      const { serve } = await import('../serve.ts');
      await runProcess(process, serve, workers === undefined ? {} : { WORKERS: workers });
    });
}
