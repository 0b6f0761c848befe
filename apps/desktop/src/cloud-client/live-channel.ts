import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { CHANNEL_CLOSE, type DeviceMessage, type ServiceMessage } from '@csg/shared/contract';
import { WebSocket } from 'ws';
import { certificateAuthorities } from './certificate-authorities.ts';

export interface LiveChannelOptions {
  /** URL of the service, with or without a path. */
  readonly url: string;
  readonly apiKey: string;
  /** Called only with types that this version knows. */
  readonly onMessage: (message: ServiceMessage) => void;
  /** Called after every connect: changes made in between must be fetched. */
  readonly onOpen: () => void;
  /** The company's proxy, with user and password; null: direct. */
  readonly proxy?: string | null;
  /** Returns 0..1; spreads the reconnects of many devices after an outage. */
  readonly random: () => number;
  readonly pauses?: ChannelPauses;
}

export interface ChannelPauses {
  readonly firstMs: number;
  readonly longestMs: number;
  /** After this time without traffic the connection is considered dead. */
  readonly silenceMs: number;
}

export interface LiveChannel {
  isOpen(): boolean;
  /** Dropped while the channel is closed: every message has another route. */
  send(message: DeviceMessage): void;
  close(): void;
}

const PAUSES: ChannelPauses = { firstMs: 500, longestMs: 60_000, silenceMs: 30_000 };
const TYPES: readonly string[] = ['config-changed', 'exception-decided', 'tool-request-decided', 'revoked'];
const MAX_FRAME_BYTES = 1_048_576;

/** Opens a channel that reconnects with backoff until it is closed or the device is revoked. */
export function openLiveChannel(options: LiveChannelOptions): LiveChannel {
  const pauses = options.pauses ?? PAUSES;
  const address = `${new URL(options.url).href.replace(/^http/, 'ws').replace(/\/$/, '')}/api/v1/devices/channel`;
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  function connect(): void {
    const own = new WebSocket(address, {
      headers: { 'x-api-key': options.apiKey },
      ca: certificateAuthorities(),
      ...(options.proxy != null && { agent: agentThrough(options.proxy, address) }),
      handshakeTimeout: 10_000,
      maxPayload: MAX_FRAME_BYTES,
      followRedirects: false,
    });
    socket = own;
    let isAlive = true;
    const alive = (): void => {
      isAlive = true;
    };
    own.on('open', () => {
      failures = 0;
      watch = setInterval(() => {
        if (!isAlive) return own.terminate();
        isAlive = false;
        own.ping();
      }, pauses.silenceMs);
      options.onOpen();
    });
    own.on('ping', alive);
    own.on('pong', alive);
    own.on('message', (data, isBinary) => {
      alive();
      const message = isBinary ? null : parse(String(data));
      if (message === null) return;
      if (message.type === 'revoked') stop();
      options.onMessage(message);
    });
    // `close` follows and handles the end.
    own.on('error', () => {});
    own.on('close', (code) => {
      clearInterval(watch);
      if (isClosed) return;
      if (code === CHANNEL_CLOSE.revoked) {
        stop();
        options.onMessage({ type: 'revoked' });
        return;
      }
      // Another agent uses this credential, or we sent too much: the next attempt waits longer.
      if (code === CHANNEL_CLOSE.replaced || code === CHANNEL_CLOSE.tooMany) failures += 5;
      const pauseMs = Math.min(pauses.longestMs, pauses.firstMs * 2 ** Math.min(failures++, 20));
      timer = setTimeout(connect, pauseMs * (0.5 + options.random() / 2));
    });
  }

  function stop(): void {
    isClosed = true;
    clearTimeout(timer);
    clearInterval(watch);
  }

  connect();
  return {
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    send(message) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      stop();
      if (socket?.readyState === WebSocket.CONNECTING) socket.terminate();
      else socket?.close(1000);
    },
  };
}

/** Connects through the company's proxy, as Node's own agents do. */
function agentThrough(proxy: string, address: string): HttpAgent {
  return address.startsWith('wss:')
    ? new HttpsAgent({ ca: certificateAuthorities(), proxyEnv: { HTTPS_PROXY: proxy } } as AgentOptions)
    : new HttpAgent({ proxyEnv: { HTTP_PROXY: proxy } } as AgentOptions);
}

function parse(text: string): ServiceMessage | null {
  try {
    const message = JSON.parse(text) as { type?: unknown } | null;
    return typeof message?.type === 'string' && TYPES.includes(message.type)
      ? (message as ServiceMessage)
      : null;
  } catch {
    return null;
  }
}
