import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { collectAll, returnMemory } from '../supervisor/return-memory.ts';
import { addAutostartCommand } from './commands/autostart-command.ts';
import { print, printJson, terminalNotices, withParts } from './commands/command-line.ts';
import { addEnrollmentCommands } from './commands/enrollment-commands.ts';
import { addRequestCommands } from './commands/request-commands.ts';
import { addStateCommands } from './commands/state-commands.ts';
import { addTrustCommands } from './commands/trust-commands.ts';
import { connectControl } from './control/control-client.ts';
import type { AgentParts } from './host/open-agent.ts';
import { AgentError } from './settings/read-settings.ts';

/** The agent's commands. */
export function createProgram(): Command {
  const program = new Command('agent')
    .description('Content Security Agent')
    .showHelpAfterError('(see --help)')
    .helpCommand(false);
  addEnrollmentCommands(program);
  program
    .command('run')
    .description('protect this computer until it is stopped')
    .action(() => withParts(runUntilStopped));
  addAutostartCommand(program);
  addStateCommands(program);
  addTrustCommands(program);
  addRequestCommands(program);
  program
    .command('hook')
    .description(
      'respond to a hook of a coding agent: its JSON on standard input, the response on standard output',
    )
    .action(() => withParts(answerHook));
  program
    .command('mcp-wrap')
    .description("evaluate an MCP server's calls and results: mcp-wrap -- COMMAND ARGUMENTS")
    .argument('<command...>', 'command that starts the MCP server')
    .action((command: readonly string[]) => withParts((parts) => wrapMcp(parts, command)));
  return program;
}

async function wrapMcp(parts: AgentParts, command: readonly string[]): Promise<void> {
  const { wrapMcpServer } = await import('./commands/mcp-wrap-command.ts');
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const exitCode = await wrapMcpServer(parts, command, { input: process.stdin, output: process.stdout, log });
  process.exit(exitCode);
}

async function answerHook(parts: AgentParts): Promise<void> {
  const { runHook } = await import('./commands/hook-command.ts');
  const { reply, problem, exitCode } = await runHook(parts, await text(process.stdin), Date.now());
  if (problem !== null) process.stderr.write(`${problem}\n`);
  if (exitCode === 0) printJson(reply);
  process.exitCode = exitCode;
}

/** CPU time that an idle agent uses in a few minutes, and a busy one sooner. */
const CPU_SECOND_US = 1_000_000;

async function runUntilStopped(parts: AgentParts): Promise<void> {
  const other = await connectControl(parts.files.control, terminalNotices);
  if (other !== null) {
    other.close();
    throw new AgentError('The agent is already running on this computer.');
  }
  const { runAgent } = await import('./run-agent.ts');
  const agent = await runAgent(parts, (line) => print([line]));
  returnMemory({ activity: () => Math.floor(process.cpuUsage().user / CPU_SECOND_US), collect: collectAll });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void agent.stop());
  await agent.ended;
  const isClosed = await parts.network.isProtected();
  print([
    isClosed
      ? 'The agent has stopped. AI hosts cannot be reached until it runs again, because the policy fails closed.'
      : 'The agent has stopped. This computer has its previous settings.',
  ]);
}

if (import.meta.main) {
  await createProgram().parseAsync();
}
