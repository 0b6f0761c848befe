import { serveCommand } from './commands/serve-command.ts';

if (import.meta.main) await serveCommand('gateway').parseAsync();
