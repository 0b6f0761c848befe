import { type AgentCommands, lastLine } from './agent-commands.ts';
import type { AppSettings } from './read-app-settings.ts';

/**
 * Makes this computer trust the agent's certificate: first in the stores that the user can change (browsers), then in the
 * system store, which needs an administrator. Rejects with a message if that was denied.
 */
export async function trustCertificate(
  commands: AgentCommands,
  { agent }: Pick<AppSettings, 'agent'>,
): Promise<void> {
  const own = await commands.run('ca', 'install');
  if (own.code === 0) return;
  const elevated = await commands.runElevated(
    { AGENT_STATE_DIR: agent.stateDir },
    'ca',
    'install',
    '--store',
    'system',
  );
  if (elevated.code === 0) return;
  const why = lastLine(elevated.stderr) || lastLine(own.stderr);
  throw new Error(`The certificate was not trusted: ${why || 'an administrator must approve it'}`);
}
