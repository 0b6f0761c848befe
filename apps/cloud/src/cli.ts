import { Command, CommanderError } from 'commander';
import { addAdminCommand } from './commands/admin-command.ts';
import { addAuditCommand } from './commands/audit-command.ts';
import { addBackupCommand } from './commands/backup-command.ts';
import { addConfigCommand } from './commands/config-command.ts';
import { addDevicesCommand } from './commands/devices-command.ts';
import { addEnrollmentsCommand } from './commands/enrollments-command.ts';
import { addEventsCommand } from './commands/events-command.ts';
import { addExplainCommand } from './commands/explain-command.ts';
import { addKeysCommand } from './commands/keys-command.ts';
import { addManageKeysCommand } from './commands/manage-keys-command.ts';
import { addMasterKeyCommand } from './commands/master-key-command.ts';
import { addMcpCommand } from './commands/mcp-command.ts';
import { addPlanCommand } from './commands/plan-command.ts';
import { addProjectsCommand } from './commands/projects-command.ts';
import { addProvidersCommand } from './commands/providers-command.ts';
import { addRepositoriesCommand } from './commands/repositories-command.ts';
import { addRequestsCommands } from './commands/requests-command.ts';
import { addRestoreCommand } from './commands/restore-command.ts';
import { addSecurityTestCommand } from './commands/security-test-command.ts';
import { serveCommand } from './commands/serve-command.ts';
import { addToolListsCommand } from './commands/tool-lists-command.ts';
import { addWebhooksCommand } from './commands/webhooks-command.ts';
import { withStorage } from './commands/with-storage.ts';
import type { Shell } from './run-process.ts';

/** The operator's commands. They work on the same data directory while the service runs. */
export function createProgram(shell: Shell): Command {
  const program = new Command('gateway')
    .description('Content Security Gateway: operator commands')
    .showHelpAfterError('(see --help)')
    .helpCommand('help [command]', 'display help for a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
    });
  program.addCommand(serveCommand('serve').copyInheritedSettings(program));
  program
    .command('migrate')
    .description('update the database schema')
    .action(() =>
      withStorage(shell, async () => {
        shell.stdout.write('The schema is up to date.\n');
      }),
    );
  addAdminCommand(program, shell);
  addManageKeysCommand(addKeysCommand(program, shell), shell);
  addProjectsCommand(program, shell);
  addWebhooksCommand(program, shell);
  addConfigCommand(program, shell);
  addEventsCommand(program, shell);
  addExplainCommand(program, shell);
  addEnrollmentsCommand(program, shell);
  addDevicesCommand(program, shell);
  addRequestsCommands(program, shell);
  addToolListsCommand(program, shell);
  addPlanCommand(program, shell);
  addProvidersCommand(program, shell);
  addRepositoriesCommand(program, shell);
  addMcpCommand(program);
  addAuditCommand(program, shell);
  addBackupCommand(program, shell);
  addRestoreCommand(program, shell);
  addMasterKeyCommand(program, shell);
  addSecurityTestCommand(program, shell);
  return program;
}

/** Runs one command line. The result is the shell's exit code. */
export async function runCommandLine(shell: Shell, args: readonly string[]): Promise<void> {
  try {
    await createProgram(shell).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    shell.exitCode = error.exitCode;
  }
}

if (import.meta.main) await runCommandLine(process, process.argv.slice(2));
