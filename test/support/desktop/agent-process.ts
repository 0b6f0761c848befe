import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { AgentStatus } from '../../../apps/desktop/src/agent/control/control-messages.ts';
import { readSettings } from '../../../apps/desktop/src/agent/settings/read-settings.ts';
import { stateFiles } from '../../../apps/desktop/src/agent/settings/state-files.ts';
import { readStatus } from '../../../apps/desktop/src/agent/status/read-status.ts';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { inheritedPreloads } from '../inherited-preloads.ts';
import { type Ended, type RunningCommand, runCommand } from '../run-command.ts';

const CLI = path.resolve(import.meta.dirname, '../../../apps/desktop/src/agent/cli.ts');

export interface AgentCommands {
  readonly stateDir: string;
  /** The same agent, with more environment variables. */
  with(more: Readonly<Record<string, string>>): AgentCommands;
  /** Starts one command. */
  launch(...args: readonly string[]): RunningCommand;
  /** Runs one command to its end. */
  run(...args: readonly string[]): Promise<Ended>;
  /** The same, with this on standard input. */
  runWith(input: string, ...args: readonly string[]): Promise<Ended>;
  /** The output of `agent status --json`, without a process for it, which would take a second of CPU time. */
  status(): Promise<AgentStatus>;
  /** Starts `agent run`, and resolves once it says whom it protects. */
  start(): Promise<RunningAgentProcess>;
}

export interface RunningAgentProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves once the output contains this. Rejects if the agent ends before. */
  outputHas(text: string): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** The real agent with a state folder of its own; it does not change the computer's settings. */
export function agentCommands(stateDir: string, more: Readonly<Record<string, string>> = {}): AgentCommands {
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: stateDir,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    AGENT_STATE_DIR: path.join(stateDir, 'state'),
    AGENT_PROXY_PORT: '0',
    AGENT_SYSTEM_PROXY: 'off',
    AGENT_VAULT: 'file',
    ...more,
  };
  const launch: AgentCommands['launch'] = (...args) =>
    runCommand(process.execPath, [...inheritedPreloads(), CLI, ...args], { env });
  const run: AgentCommands['run'] = (...args) => launch(...args).ended;
  return {
    with: (others) => agentCommands(stateDir, { ...more, ...others }),
    stateDir: env['AGENT_STATE_DIR'] as string,
    launch,
    run,
    runWith: (input, ...args) =>
      runCommand(process.execPath, [...inheritedPreloads(), CLI, ...args], { env, input }).ended,
    status() {
      const settings = readSettings(env);
      return readStatus({ settings, files: stateFiles(settings.stateDir) });
    },
    async start() {
      const child = spawn(process.execPath, [...inheritedPreloads(), CLI, 'run'], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      const listeners = new Set<() => void>();
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString('utf8');
          for (const look of listeners) look();
        });
      }
      const ended = once(child, 'close');
      const outputHas = (text: string): Promise<void> =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            if (output.includes(text)) resolve();
          };
          listeners.add(look);
          look();
          void ended.then(() => reject(new Error(`The agent ended before it said "${text}":\n${output}`)));
        });
      await outputHas('the proxy is 127.0.0.1:');
      return {
        child,
        output: () => output,
        outputHas,
        async end(signal) {
          child.kill(signal);
          await ended;
        },
      };
    },
  };
}
