import { spawn } from 'node:child_process';
import type { ControlClient } from '../agent/control/control-client.ts';
import { AGENT_NODE_FLAGS } from '../agent/settings/agent-package.ts';
import { lastLine } from './agent-commands.ts';
import type { AppSettings } from './read-app-settings.ts';

export interface AgentStart {
  readonly pid: number | null;
  /** The connection to the started agent, or why there is none. */
  readonly connected: Promise<ControlClient | string>;
}

export interface Connecting {
  /** Null: nothing accepts connections yet. */
  readonly connect: () => Promise<ControlClient | null>;
  /** Between two tries. */
  readonly poll: () => Promise<void>;
  readonly isEnding: () => boolean;
}

/** Starts the agent, and tries to connect to it until it exits. */
export function startAgent(
  settings: Pick<AppSettings, 'nodePath' | 'agentScript' | 'agentEnv'>,
  { connect, poll, isEnding }: Connecting,
): AgentStart {
  const child = spawn(settings.nodePath, [...AGENT_NODE_FLAGS, settings.agentScript, 'run'], {
    env: { ...settings.agentEnv },
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  let complaint = '';
  let isGone = false;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-2_000);
  });
  child.once('error', (error) => {
    complaint = `The agent could not be started (${error.message}). Reinstall the app.`;
    isGone = true;
  });
  child.once('exit', () => {
    isGone = true;
  });

  async function connected(): Promise<ControlClient | string> {
    while (!isGone && !isEnding()) {
      const control = await connect();
      if (control !== null) return control;
      await poll();
    }
    if (isEnding()) child.kill();
    return lastLine(complaint) || 'The agent exited unexpectedly and is being restarted.';
  }

  return { pid: child.pid ?? null, connected: connected() };
}
