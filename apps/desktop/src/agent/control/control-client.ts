import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import type {
  ControlAddress,
  ControlFrame,
  ControlMethod,
  ControlParams,
  ControlResults,
} from './control-messages.ts';

/** A busy computer lets an agent respond late; where none listens, connecting fails at once. */
const CONNECT_MS = 10_000;

export interface ControlClient {
  /** Rejects with the agent's sentence. `params` is left out where the method takes none. */
  call<Method extends ControlMethod>(
    method: Method,
    ...params: ControlParams[Method] extends null ? [] : [ControlParams[Method]]
  ): Promise<ControlResults[Method]>;
  /** Resolves when the agent is gone, or let this connection go. */
  readonly closed: Promise<void>;
  close(): void;
}

/** The agent that runs, by the file it left; null where none does. `onFrame`: what it tells by itself. */
export async function connectControl(
  controlFile: string,
  onFrame: (frame: ControlFrame) => void = () => {},
): Promise<ControlClient | null> {
  const address = readAddress(controlFile);
  if (address === null) return null;
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}/control`, {
    headers: { authorization: `Bearer ${address.token}` },
    handshakeTimeout: CONNECT_MS,
    perMessageDeflate: false,
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  if (!isOpen) return null;

  const waiting = new Map<number, (frame: { result?: unknown; error?: string }) => void>();
  let ids = 0;
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as ControlFrame;
    if ('id' in frame) waiting.get(frame.id)?.(frame);
    else onFrame(frame);
  });
  void closed.then(() => {
    for (const settle of waiting.values()) settle({ error: 'The agent ended before it answered.' });
  });
  return {
    call<Method extends ControlMethod>(
      method: Method,
      ...[params]: unknown[]
    ): Promise<ControlResults[Method]> {
      const id = ++ids;
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error === undefined) resolve(result as ControlResults[Method]);
          else reject(new Error(error));
        });
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
    closed,
    close: () => socket.close(),
  };
}

/** A process that left its address and has not ended, such as one that is stopped; null: there is none. */
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
