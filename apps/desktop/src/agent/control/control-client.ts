import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import type {
  ControlAddress,
  ControlFrame,
  ControlMethod,
  ControlParams,
  ControlResults,
} from './control-messages.ts';

export interface ControlTimes {
  /** A busy computer delays the agent's response; if nothing listens, connecting fails immediately. */
  readonly connectMs: number;
  /** Longer than the agent waits for the service. */
  readonly callMs: number;
  /** After this time the user is notified of the wait. */
  readonly noticeMs: number;
}

export interface ControlOptions {
  /** Called with each frame that the agent sends unasked. */
  readonly onFrame?: (frame: ControlFrame) => void;
  /** Called once, with a sentence for the user, if the agent is slow. */
  readonly onWait?: (sentence: string) => void;
  /** Called with the agent's process if it exists but does not accept the connection in time, such as a suspended one. */
  readonly onStall?: (pid: number) => void;
  readonly times?: ControlTimes;
}

const CONTROL_TIMES: ControlTimes = { connectMs: 10_000, callMs: 30_000, noticeMs: 3_000 };

/** The agent accepted the connection but does not respond to a call. */
export class AgentUnresponsiveError extends Error {
  constructor(pid: number, limitMs: number) {
    super(
      `The agent did not respond within ${limitMs / 1_000} seconds. If this continues, end the process ${pid} and run "agent run".`,
    );
  }
}

export interface ControlClient {
  /** Rejects with the agent's sentence, or AgentUnresponsiveError. Methods without parameters take no `params`. */
  call<Method extends ControlMethod>(
    method: Method,
    ...params: ControlParams[Method] extends null ? [] : [ControlParams[Method]]
  ): Promise<ControlResults[Method]>;
  readonly pid: number;
  /** Resolves when the agent has ended or closed the connection. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Connects to the running agent through its address file; null if none runs. */
export async function connectControl(
  controlFile: string,
  { onFrame = () => {}, onWait = () => {}, onStall = () => {}, times = CONTROL_TIMES }: ControlOptions = {},
): Promise<ControlClient | null> {
  const address = readAddress(controlFile);
  if (address === null) return null;
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}/control`, {
    headers: { authorization: `Bearer ${address.token}` },
    handshakeTimeout: times.connectMs,
    perMessageDeflate: false,
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const noticed = createNotice(times.noticeMs, onWait);
  const connecting = noticed(times.connectMs);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.on('error', ({ message }) => {
      // Otherwise nothing listens, and the process of the file is another program's by now.
      const pid = message === 'Opening handshake has timed out' ? unresponsivePid(controlFile) : null;
      if (pid !== null) onStall(pid);
      resolve(false);
    });
  });
  clearTimeout(connecting);
  if (!isOpen) return null;

  let isUnresponsive = false;
  const waiting = new Map<number, (frame: { result?: unknown; error?: string }) => void>();
  let ids = 0;
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as ControlFrame;
    if ('id' in frame) waiting.get(frame.id)?.(frame);
    else onFrame(frame);
  });
  void closed.then(() => {
    for (const settle of waiting.values()) settle({ error: 'The agent stopped before it responded.' });
  });
  return {
    call<Method extends ControlMethod>(
      method: Method,
      ...[params]: unknown[]
    ): Promise<ControlResults[Method]> {
      const id = ++ids;
      return new Promise((resolve, reject) => {
        const notice = noticed(times.callMs);
        const limit = setTimeout(() => {
          waiting.delete(id);
          isUnresponsive = true;
          reject(new AgentUnresponsiveError(address.pid, times.callMs));
        }, times.callMs);
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          clearTimeout(notice);
          clearTimeout(limit);
          if (error === undefined) resolve(result as ControlResults[Method]);
          else reject(new Error(error));
        });
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
    pid: address.pid,
    closed,
    // An unresponsive agent does not complete the closing handshake either.
    close: () => (isUnresponsive ? socket.terminate() : socket.close()),
  };
}

/** Starts a timer for each wait; the first to expire reports how long the wait may take. */
function createNotice(
  noticeMs: number,
  onWait: (sentence: string) => void,
): (limitMs: number) => NodeJS.Timeout {
  let hasNoticed = false;
  return (limitMs) =>
    setTimeout(() => {
      if (hasNoticed) return;
      hasNoticed = true;
      onWait(
        `The agent has not responded for ${noticeMs / 1_000} seconds; waiting for up to ${limitMs / 1_000} seconds.`,
      );
    }, noticeMs);
}

/** Returns the pid of a process with an address file that has not ended, such as a suspended one; null: none. */
export function unresponsivePid(controlFile: string): number | null {
  const pid = readAddress(controlFile)?.pid ?? 0;
  try {
    return pid > 0 && process.kill(pid, 0) ? pid : null;
  } catch {
    return null;
  }
}

function readAddress(file: string): ControlAddress | null {
  try {
    const { port, token, pid } = JSON.parse(readFileSync(file, 'utf8')) as Partial<ControlAddress>;
    return typeof port === 'number' && typeof token === 'string' && typeof pid === 'number'
      ? { port, token, pid }
      : null;
  } catch {
    return null;
  }
}
