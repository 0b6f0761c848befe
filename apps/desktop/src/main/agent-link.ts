import { spawn } from 'node:child_process';
import { type ControlClient, connectControl } from '../agent/control/control-client.ts';
import type { AgentStatus, ControlFrame } from '../agent/control/control-messages.ts';
import { AGENT_NODE_FLAGS } from '../agent/settings/agent-package.ts';
import { stateFiles } from '../agent/settings/state-files.ts';
import { idleStatus } from '../agent/status/read-status.ts';
import { lastLine } from './agent-commands.ts';
import type { AppSettings } from './read-app-settings.ts';

export interface AgentLink {
  status(): AgentStatus;
  /** Null if no agent is running. */
  control(): ControlClient | null;
  /** Starts the agent immediately if this computer is enrolled and none is running, whatever failed before. */
  retryNow(): void;
  /** Starts no agent during this work, so that an agent that is being removed does not come back. */
  withoutAgent<T>(work: () => Promise<T>): Promise<T>;
  /** Whether this app started the running agent, which then stops with the app. */
  isOwnAgent(): boolean;
  /** Stops the app's own agent. The computer's settings are restored when it resolves. */
  end(): Promise<void>;
}

export interface LinkPauses {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Between two checks for the started agent. */
  readonly pollMs: number;
  /** Between two checks for an enrollment, or for an agent that was started elsewhere. */
  readonly idleMs: number;
}

const PAUSES: LinkPauses = { firstMs: 1_000, longestMs: 60_000, pollMs: 100, idleMs: 3_000 };

/**
 * Keeps an agent running on an enrolled computer, and the connection to it. An agent that a service or a terminal started
 * is used as well. `onFrame` receives every status, also while no agent is running.
 */
export function openAgentLink(
  settings: Pick<AppSettings, 'agent' | 'nodePath' | 'agentScript' | 'agentEnv'>,
  onFrame: (frame: ControlFrame) => void,
  pauses: LinkPauses = PAUSES,
): AgentLink {
  const files = stateFiles(settings.agent.stateDir);
  let client: ControlClient | null = null;
  let ownPid: number | null = null;
  let failures = 0;
  let error: string | null = null;
  let isEnding = false;
  /** The agent was stopped on request and starts again only on request. */
  let isHeld = false;
  let exclusiveWork: Promise<unknown> = Promise.resolve();
  let wake = (): void => {};
  let status = idle();

  function idle(): AgentStatus {
    const known = idleStatus({ files, settings: settings.agent });
    return error === null || !known.enrolled ? known : { ...known, problem: error };
  }

  function publish(next: AgentStatus): void {
    status = next;
    onFrame({ event: 'status', status: next });
  }

  function onMessage(frame: ControlFrame): void {
    if ('event' in frame && frame.event === 'status') status = frame.status;
    if ('event' in frame && frame.event === 'stopping') isHeld = true;
    onFrame(frame);
  }

  async function follow(connected: ControlClient): Promise<void> {
    client = connected;
    isHeld = false;
    error = null;
    failures = 0;
    const first = await connected.call('status').catch(() => null);
    if (first !== null) publish(first);
    if (isEnding) await leave();
    await connected.closed;
    client = null;
    publish(idle());
  }

  const isOwnAgent = (): boolean => ownPid !== null && status.pid === ownPid;

  /** An agent that a service or a terminal started keeps running without the app. */
  async function leave(): Promise<void> {
    if (isOwnAgent()) await client?.call('stop').catch(() => null);
    else client?.close();
  }

  async function work(): Promise<void> {
    while (!isEnding) {
      await exclusiveWork;
      const connected = await connectControl(files.control, onMessage);
      if (connected !== null) await follow(connected);
      else if (isHeld || files.enrollment().kind === 'missing') {
        error = isHeld ? 'The agent was stopped, so this computer is not protected.' : null;
        publish(idle());
        await pause(pauses.idleMs);
      } else await followStarted(await startAgent());
    }
  }

  async function followStarted(started: ControlClient | string): Promise<void> {
    if (typeof started !== 'string') return follow(started);
    error = started;
    publish(idle());
    await pause(Math.min(pauses.longestMs, pauses.firstMs * 2 ** failures++));
  }

  /** The connection to the started agent, or why there is none. */
  async function startAgent(): Promise<ControlClient | string> {
    const child = spawn(settings.nodePath, [...AGENT_NODE_FLAGS, settings.agentScript, 'run'], {
      env: { ...settings.agentEnv },
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    ownPid = child.pid ?? null;
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
    while (!isGone && !isEnding) {
      const connected = await connectControl(files.control, onMessage);
      if (connected !== null) return connected;
      await pause(pauses.pollMs);
    }
    if (isEnding) child.kill();
    return lastLine(complaint) || 'The agent exited unexpectedly and is being restarted.';
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const working = work();
  return {
    status: () => status,
    control: () => client,
    isOwnAgent,
    retryNow() {
      failures = 0;
      isHeld = false;
      wake();
    },
    withoutAgent(work) {
      const done = work();
      exclusiveWork = done.catch(() => null);
      return done;
    },
    async end() {
      isEnding = true;
      await leave();
      wake();
      await working;
    },
  };
}
