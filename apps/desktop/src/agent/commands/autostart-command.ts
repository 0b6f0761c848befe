import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { agentSettingsIn } from '../autostart/agent-program.ts';
import type { Autostart } from '../autostart/autostart.ts';
import { createAutostart } from '../autostart/create-autostart.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { AGENT_NODE_FLAGS, programFile } from '../settings/agent-package.ts';
import { AgentError } from '../settings/read-settings.ts';
import { print, withParts } from './command-line.ts';

interface AutostartCommandOptions {
  readonly system?: boolean;
  readonly user?: string;
}

/** `autostart install`, `status` and `remove`. */
export function addAutostartCommand(program: Command): void {
  program
    .command('autostart')
    .description('let the service manager of the system start the agent, and restart it whenever it exits')
    .argument('<action>', 'install, status or remove')
    .option('--system', 'start with the computer instead of at sign-in; requires an administrator')
    .option('--user <name>', 'with --system: user that runs the agent; default: root')
    .action((action: string, options: AutostartCommandOptions) =>
      withParts((parts) => changeAutostart(parts, action, options)),
    );
}

/** Performs the command with the parts of this computer. */
export async function changeAutostart(
  parts: AgentParts,
  action: string,
  { system, user }: AutostartCommandOptions,
): Promise<void> {
  const { platform, home } = parts.settings;
  const own = userInfo();
  const autostart = createAutostart({
    platform,
    home,
    run: parts.run,
    uid: own.uid,
    systemUser: system === true ? (user ?? 'root') : null,
  });
  if (typeof autostart === 'string') throw new AgentError(autostart);
  if (action === 'install') {
    const domain = platform === 'win32' ? parts.env['USERDOMAIN'] : undefined;
    await install(parts, autostart, domain === undefined ? own.username : `${domain}\\${own.username}`);
  } else if (action === 'status') {
    await printState(autostart);
  } else if (action === 'remove') {
    const problem = await autostart.remove();
    if (problem !== null) throw new AgentError(problem);
    print([`The agent is no longer started automatically (${autostart.name}).`]);
  } else throw new AgentError('Enter "autostart install", "autostart status" or "autostart remove".');
}

async function printState(autostart: Autostart): Promise<void> {
  const state = await autostart.state();
  const sentence =
    state.kind === 'absent' ? 'The agent is not started automatically' : `The agent is ${state.state}`;
  print([`${sentence} (${autostart.name}).`]);
  if (state.kind === 'absent') process.exitCode = 1;
}

async function install({ files, env }: AgentParts, autostart: Autostart, user: string): Promise<void> {
  if (files.enrollment().kind !== 'ok')
    throw new AgentError('This computer is not enrolled. Run "agent enroll" first.');
  const problem = await autostart.install({
    command: [process.execPath, ...AGENT_NODE_FLAGS, programFile('agent/cli'), 'run'],
    // The state folder must be the same no matter who starts the agent.
    env: { ...agentSettingsIn(env), AGENT_STATE_DIR: files.dir },
    user,
    enrollmentFile: files.enrollmentFile,
  });
  if (problem !== null) throw new AgentError(problem);
  print([`The agent now starts automatically (${autostart.name}). "agent status" shows the result.`]);
}
