import { type ControlClient, connectControl } from '../agent/control/control-client.ts';
import type { AgentStatus, ControlFrame } from '../agent/control/control-messages.ts';
import { stateFiles } from '../agent/settings/state-files.ts';
import { idleStatus } from '../agent/status/read-status.ts';
import type { AppSettings } from './read-app-settings.ts';
import { startAgent } from './start-agent.ts';

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

type LinkSettings = Pick<AppSettings, 'agent' | 'nodePath' | 'agentScript' | 'agentEnv'>;
type OnFrame = (frame: ControlFrame) => void;

const PAUSES: LinkPauses = { firstMs: 1_000, longestMs: 60_000, pollMs: 100, idleMs: 3_000 };

/**
 * Keeps an agent running on an enrolled computer, and the connection to it. An agent that a service or a terminal started
 * is used as well. `onFrame` receives every status, also while no agent is running.
 */
export function openAgentLink(settings: LinkSettings, onFrame: OnFrame, pauses = PAUSES): AgentLink {
  const files = stateFiles(settings.agent.stateDir);
  let client: ControlClient | null = null;
  let ownPid: number | null = null;
  let failures = 0;
  let isEnding = false;
  /** The agent was stopped on request and starts again only on request. */
  let isHeld = false;
  let exclusiveWork: Promise<unknown> = Promise.resolve();
  const { pause, wake } = createPause();
  const status = createStatus(files, settings, onFrame);

  function onMessage(frame: ControlFrame): void {
    if ('event' in frame && frame.event === 'status') status.take(frame.status);
    if ('event' in frame && frame.event === 'stopping') isHeld = true;
    onFrame(frame);
  }

  const connect = () => connectControl(files.control, { onFrame: onMessage });
  const poll = () => pause(pauses.pollMs);
  async function follow(connected: ControlClient): Promise<void> {
    client = connected;
    isHeld = false;
    failures = 0;
    const first = await connected.call('status').catch(() => null);
    if (first !== null) status.publish(first);
    if (isEnding) await leave();
    await connected.closed;
    client = null;
    status.publishIdle(null);
  }

  const isOwnAgent = (): boolean => ownPid !== null && status.current().pid === ownPid;

  /** An agent that a service or a terminal started keeps running without the app. */
  async function leave(): Promise<void> {
    // If the agent does not respond, only the connection is closed: the app must be able to quit.
    if (isOwnAgent()) await client?.call('stop').catch(() => client?.close());
    else client?.close();
  }

  async function work(): Promise<void> {
    while (!isEnding) {
      await exclusiveWork;
      const connected = await connect();
      if (connected !== null) await follow(connected);
      else if (isHeld || files.enrollment().kind === 'missing') {
        status.publishIdle(isHeld ? 'The agent was stopped, so this computer is not protected.' : null);
        await pause(pauses.idleMs);
      } else {
        const start = startAgent(settings, { connect, poll, isEnding: () => isEnding });
        ownPid = start.pid;
        await followStarted(await start.connected);
      }
    }
  }

  async function followStarted(started: ControlClient | string): Promise<void> {
    if (typeof started !== 'string') return follow(started);
    status.publishIdle(started);
    await pause(Math.min(pauses.longestMs, pauses.firstMs * 2 ** failures++));
  }

  const working = work();
  return {
    status: status.current,
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

/** The last status of the agent, or what is known while none runs. */
function createStatus(
  files: ReturnType<typeof stateFiles>,
  settings: Pick<LinkSettings, 'agent'>,
  onFrame: OnFrame,
) {
  const idle = (problem: string | null): AgentStatus => {
    const known = idleStatus({ files, settings: settings.agent });
    return problem === null || !known.enrolled ? known : { ...known, problem };
  };
  let status = idle(null);
  const publish = (next: AgentStatus): void => {
    status = next;
    onFrame({ event: 'status', status: next });
  };
  return {
    current: () => status,
    take(next: AgentStatus): void {
      status = next;
    },
    publish,
    publishIdle: (problem: string | null) => publish(idle(problem)),
  };
}

/** Pauses one after the other, each of which can be ended early. */
function createPause(): { readonly pause: (ms: number) => Promise<void>; readonly wake: () => void } {
  let end = (): void => {};
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => end(),
  };
}
