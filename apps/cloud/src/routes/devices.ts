import {
  deviceConfigSchema,
  deviceEventsReplySchema,
  deviceEventsSchema,
  type ErrorCode,
  type Heartbeat,
  heartbeatReplySchema,
  heartbeatSchema,
  managedPolicySchema,
  unenrollReplySchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type DeviceConfigDeps,
  type DeviceContext,
  readDeviceConfig,
  readManagedPolicy,
} from '../flows/devices/device-config.ts';
import { type DeviceEventsDeps, recordDeviceEvents } from '../flows/devices/record-device-events.ts';
import { type HeartbeatDeps, recordHeartbeat } from '../flows/devices/record-heartbeat.ts';
import { type UnenrollDeps, unenrollDevice } from '../flows/devices/unenroll-device.ts';
import { principalOf } from '../plugins/auth.ts';
import { needsDevice } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

export interface DeviceDependencies extends DeviceConfigDeps, HeartbeatDeps, DeviceEventsDeps, UnenrollDeps {
  readonly storage: DeviceConfigDeps['storage'] &
    HeartbeatDeps['storage'] &
    DeviceEventsDeps['storage'] &
    UnenrollDeps['storage'];
}

const CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key'];

/** Registers reports and requests of an enrolled device, allowed only with its own credential. */
export function registerDevices(app: FastifyInstance, deps: DeviceDependencies): void {
  const config = needsDevice();
  app.post<{ Body: Heartbeat }>(
    '/devices/heartbeat',
    {
      config,
      schema: documented({
        tag: 'Devices',
        id: 'sendHeartbeat',
        summary: 'Send a heartbeat',
        description: 'Send one a minute. A device that misses three is shown as silent.',
        body: heartbeatSchema,
        response: heartbeatReplySchema,
        codes: CODES,
      }),
    },
    (request) => recordHeartbeat(deps, deviceOf(request), request.body),
  );

  app.get(
    '/devices/config',
    {
      config,
      schema: documented({
        tag: 'Devices',
        id: 'getDeviceConfig',
        summary: 'Get the signed configuration of this device',
        description:
          'With `If-None-Match`, an unchanged configuration is a 304. docs/devices.md explains how to verify it.',
        response: deviceConfigSchema,
        codes: CODES,
      }),
      // Every member is signed, so the serializer must not drop or rewrite any.
      serializerCompiler: () => (data) => JSON.stringify(data),
    },
    async (request, reply) => {
      const bundle = await readDeviceConfig(deps, deviceOf(request));
      // Weak: the same version is issued again with a later timestamp.
      const tag = `W/"${bundle.policy_version}"`;
      reply.header('ETag', tag).header('Cache-Control', 'private, no-cache');
      if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send();
      return reply.send(bundle);
    },
  );

  app.post<{ Body: { events: unknown[] } }>(
    '/devices/events',
    {
      config,
      schema: documented({
        tag: 'Devices',
        id: 'reportDeviceEvents',
        summary: 'Report decisions made on the device',
        description:
          'Send each event at least once; it is recorded exactly once, by its `event_id`. Invalid events are listed one by one and do not affect the others.',
        body: deviceEventsSchema,
        response: deviceEventsReplySchema,
        codes: [...CODES, 'payload_too_large', 'service_unavailable'],
      }),
    },
    (request) => {
      const { keyId, webhooks, ruleset } = principalOf(request);
      const context = { ...deviceOf(request), keyId, webhooks, ruleset: ruleset.input };
      return recordDeviceEvents(deps, context, request.body.events, request.id);
    },
  );

  app.get(
    '/devices/managed-policy',
    {
      config,
      schema: documented({
        tag: 'Devices',
        id: 'getManagedPolicy',
        summary: 'Get the policy of a managed installation',
        response: managedPolicySchema,
        codes: CODES,
      }),
    },
    (request) => readManagedPolicy(deps, deviceOf(request)),
  );
  registerUnenroll(app, deps);
}

function registerUnenroll(app: FastifyInstance, deps: UnenrollDeps): void {
  app.post(
    '/devices/unenroll',
    {
      config: needsDevice(),
      schema: documented({
        tag: 'Devices',
        id: 'unenrollDevice',
        summary: 'Unenroll this device',
        description:
          'Revokes this device and its credential. A second request is a 401, because the credential no longer exists.',
        response: unenrollReplySchema,
        codes: CODES,
      }),
    },
    (request) => unenrollDevice(deps, deviceOf(request)),
  );
}

/** Returns the calling device, with its project and organization. */
export function deviceOf(request: FastifyRequest): DeviceContext {
  const { organizationId, projectId, deviceId } = principalOf(request);
  if (deviceId === null) throw new Error(`${request.url} was called by no device: its route lets others in`);
  return { organizationId, projectId, deviceId };
}

/** RFC 9110, section 13.1.2: weak comparison. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((part) => {
    const one = part.trim();
    return one === '*' || one.replace(/^W\//, '') === opaque;
  });
}
