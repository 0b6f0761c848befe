import { spawn } from 'node:child_process';
import { type Command, elevate } from './elevate.ts';
import type { AppSettings } from './read-app-settings.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface AgentCommands {
  /** One command of the agent, to its end. Rejects with a sentence where it cannot be started. */
  run(...args: readonly string[]): Promise<CommandResult>;
  /** The same as an administrator; `env` is all of ours that it gets. */
  runElevated(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult>;
  /** The object it prints. Rejects with the agent's own sentence where it prints none. */
  json<T>(...args: readonly string[]): Promise<T>;
}

type CommandSettings = Pick<AppSettings, 'agent' | 'nodePath' | 'agentScript' | 'agentEnv'>;

/** The agent's command line, for what needs no agent that runs. */
export function createAgentCommands({ agent, nodePath, agentScript, agentEnv }: CommandSettings): AgentCommands {
  const start = ({ file, args }: Command): Promise<CommandResult> =>
    new Promise((resolve, reject) => {
      const child = spawn(file, [...args], {
        env: { ...agentEnv },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        stdout += chunk;
      });
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      child.once('error', (error) => {
        reject(
          new Error(
            file === nodePath
              ? `The agent cannot be started (${error.message}): install the app again.`
              : `An administrator cannot be asked here (${error.message}).`,
          ),
        );
      });
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  const command = (args: readonly string[]): Command => ({ file: nodePath, args: [agentScript, ...args] });
  const run: AgentCommands['run'] = (...args) => start(command(args));
  return {
    run,
    runElevated: (env, ...args) => start(elevate(command(args), env, agent.platform)),
    async json<T>(...args: readonly string[]): Promise<T> {
      const { stdout, stderr } = await run(...args, '--json');
      if (stdout.startsWith('{')) return JSON.parse(stdout) as T;
      throw new Error(lastLine(stderr) || 'The agent said nothing: look at its diagnosis.');
    },
  };
}

export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
