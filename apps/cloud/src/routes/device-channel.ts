import {
  CHANNEL_CLOSE,
  CodedError,
  type Heartbeat,
  heartbeatSchema,
  type ServiceMessage,
} from '@csg/shared/contract';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import Schema from 'typebox/schema';

import type { DeviceChannel } from '../flows/devices/device-channel.ts';
import { type HeartbeatDeps, recordHeartbeat } from '../flows/devices/record-heartbeat.ts';
import { needsDevice } from '../plugins/route-access.ts';
import { deviceOf } from './devices.ts';
import { documented } from './documented.ts';

export interface DeviceChannelDependencies extends HeartbeatDeps {
  readonly channel: Pick<DeviceChannel, 'join' | 'note'>;
  readonly settings: {
    /** Interval between two pings; a device that does not answer one before the next is disconnected. */
    readonly channelPingMs: number;
  };
}

/** A device sends one heartbeat a minute; a client with more messages than this is not one of our devices. */
const MESSAGES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const MAX_MESSAGE_BYTES = 16_384;
/** Maximum unsent bytes; above this the device counts as disconnected. */
const MAX_BACKLOG_BYTES = 1_048_576;

/** Registers the live channel for messages that no request waits for. Without it they only arrive later. */
export function registerDeviceChannel(app: FastifyInstance, deps: DeviceChannelDependencies): void {
  app.route({
    method: 'GET',
    url: '/devices/channel',
    config: needsDevice(),
    schema: documented({
      tag: 'Devices',
      id: 'openDeviceChannel',
      summary: 'Open the live channel (WebSocket)',
      description:
        'JSON text frames. The service sends `config-changed`, `exception-decided`, `tool-request-decided` and `revoked`; the device sends `heartbeat`.',
      response: Type.Object({}),
      status: 101,
      codes: ['missing_api_key', 'invalid_api_key', 'invalid_request'],
    }),
    handler: async () => {
      throw new CodedError('invalid_request', {
        status: 426,
        message: 'This endpoint requires a WebSocket upgrade.',
        headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
      });
    },
    wsHandler: (socket, request) => serve(deps, socket, request),
  });
}

function serve(deps: DeviceChannelDependencies, socket: WebSocket, request: FastifyRequest): void {
  const context = deviceOf(request);
  const send = (message: ServiceMessage): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BACKLOG_BYTES) socket.terminate();
    else socket.send(JSON.stringify(message));
  };
  const leave = deps.channel.join({
    ...context,
    send,
    end: (why) => socket.close(CHANNEL_CLOSE[why], why),
  });

  let isAlive = true;
  const pings = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, deps.settings.channelPingMs).unref();
  socket.on('pong', () => {
    isAlive = true;
  });

  let minute = 0;
  let messages = 0;
  socket.on('message', (data, isBinary) => {
    isAlive = true;
    const now = Math.floor(deps.clock.now() / MINUTE_MS);
    messages = now === minute ? messages + 1 : 1;
    minute = now;
    if (messages > MESSAGES_PER_MINUTE) return socket.close(CHANNEL_CLOSE.tooMany, 'too many messages');
    const frame = readFrame(data, isBinary);
    if (frame.kind === 'close') return socket.close(frame.code, frame.why);
    if (frame.kind === 'other') return undefined;
    respond(deps, context, frame.heartbeat, send).catch((error: unknown) => {
      request.log.error({ err: error, device_id: context.deviceId }, 'a heartbeat could not be recorded');
    });
    return undefined;
  });
  socket.on('close', () => {
    clearInterval(pings);
    leave();
  });
}

type Frame =
  | { readonly kind: 'heartbeat'; readonly heartbeat: Heartbeat }
  | { readonly kind: 'other' }
  | { readonly kind: 'close'; readonly code: number; readonly why: string };

function readFrame(data: Buffer | ArrayBuffer | Buffer[], isBinary: boolean): Frame {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : data;
  if (bytes.byteLength > MAX_MESSAGE_BYTES) return { kind: 'close', code: 1009, why: 'message too big' };
  if (isBinary) return { kind: 'close', code: 1003, why: 'text frames only' };
  const message = readMessage(String(data));
  if (message === null) return { kind: 'close', code: 1007, why: 'not a JSON object with a type' };
  if (message['type'] !== 'heartbeat') return { kind: 'other' };
  const heartbeat = withoutNulls(message);
  if (!Schema.Check(heartbeatSchema, heartbeat)) return { kind: 'close', code: 1008, why: 'not a heartbeat' };
  return { kind: 'heartbeat', heartbeat };
}

async function respond(
  deps: DeviceChannelDependencies,
  context: ReturnType<typeof deviceOf>,
  heartbeat: Heartbeat,
  send: (message: ServiceMessage) => void,
): Promise<void> {
  const reply = await recordHeartbeat(deps, context, heartbeat);
  deps.channel.note(context.deviceId, reply.policy_version);
  if (reply.revoked) send({ type: 'revoked' });
  else if (reply.config_changed) send({ type: 'config-changed', policy_version: reply.policy_version });
}

function readMessage(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isMessage = typeof value === 'object' && value !== null && 'type' in value;
    return isMessage ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function withoutNulls(message: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null));
}
