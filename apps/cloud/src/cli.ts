import { Command } from 'commander';
import { addAdminCommand } from './commands/admin-command.ts';
import { addAuditCommand } from './commands/audit-command.ts';
import { addBackupCommand } from './commands/backup-command.ts';
import { addDevicesCommand } from './commands/devices-command.ts';
import { addEnrollmentsCommand } from './commands/enrollments-command.ts';
import { addEventsCommand } from './commands/events-command.ts';
import { addExceptionsCommand } from './commands/exceptions-command.ts';
import { addExplainCommand } from './commands/explain-command.ts';
import { addKeysCommand } from './commands/keys-command.ts';
import { addMasterKeyCommand } from './commands/master-key-command.ts';
import { addMcpCommand } from './commands/mcp-command.ts';
import { addPlanCommand } from './commands/plan-command.ts';
import { addProvidersCommand } from './commands/providers-command.ts';
import { addRepositoriesCommand } from './commands/repositories-command.ts';
import { addSecurityTestCommand } from './commands/security-test-command.ts';
import { serveCommand } from './commands/serve-command.ts';
import { addToolListsCommand } from './commands/tool-lists-command.ts';
import { addToolRequestsCommand } from './commands/tool-requests-command.ts';
import { addToolReviewsCommand } from './commands/tool-reviews-command.ts';
import { withStorage } from './commands/with-storage.ts';

/** The operator's commands. They work on the same data directory while the service runs. */
export function createProgram(): Command {
  const program = new Command('gateway')
    .description('Content Security Gateway: the operator commands')
    .showHelpAfterError('(add --help for what there is)')
    .helpCommand('help [command]', 'display help for a command');
  program.addCommand(serveCommand('serve'));
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .action(() =>
      withStorage(async () => {
        process.stdout.write('The schema is up to date.\n');
      }),
    );
  addAdminCommand(program);
  addKeysCommand(program);
  addEventsCommand(program);
  addExplainCommand(program);
  addEnrollmentsCommand(program);
  addDevicesCommand(program);
  addExceptionsCommand(program);
  addToolRequestsCommand(program);
  addToolListsCommand(program);
  addToolReviewsCommand(program);
  addPlanCommand(program);
  addProvidersCommand(program);
  addRepositoriesCommand(program);
  addMcpCommand(program);
  addAuditCommand(program);
  addBackupCommand(program);
  addMasterKeyCommand(program);
  addSecurityTestCommand(program);
  return program;
}

if (import.meta.main) await createProgram().parseAsync();
