import Type, { type Static } from 'typebox';
import { platformEnum } from './devices.ts';
import { nullableText, shape, timestamp } from './fields.ts';
import { FAIL_MODES } from './project-choices.ts';
import { DECISIONS, DIRECTIONS, threatEnum } from './verdict.ts';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const SUPERVISOR_STATES = ['quiet', 'retrying', 'gave_up'] as const;
export type SupervisorState = (typeof SUPERVISOR_STATES)[number];

/** The first hosts are enough to show what to do. */
export const MAX_REPORTED_HOSTS = 20;

export const heartbeatSchema = shape(
  'Heartbeat',
  {
    agent_version: Type.String({ minLength: 1, maxLength: 64 }),
    proxy_restarts: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Restarts within this agent session.',
    }),
    supervisor_state: Type.Enum([...SUPERVISOR_STATES]),
    platform: Type.Optional(platformEnum),
    uptime_s: Type.Optional(Type.Number({ minimum: 0, description: 'Uptime of the agent, in seconds.' })),
    queue_length: Type.Optional(count),
    policy_version: Type.Optional(
      Type.String({ maxLength: 64, description: 'Version of the configuration that the device applies.' }),
    ),
    system_proxy: Type.Optional(
      Type.Enum(['on', 'off', 'not_set'], {
        description:
          'Whether the system setting routes apps through the proxy. `off`: the agent does not change the setting and protects only programs that it starts.',
      }),
    ),
    needs_administrator: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_.:*\\[\\]-]{1,255}$' }), {
        maxItems: MAX_REPORTED_HOSTS,
        description:
          'Hosts that the device should inspect but cannot until an administrator makes it trust another certificate.',
      }),
    ),
  },
  { examples: [{ agent_version: '1.0.0', proxy_restarts: 0, supervisor_state: 'quiet' }] },
);
export type Heartbeat = Static<typeof heartbeatSchema>;

export const heartbeatReplySchema = shape('HeartbeatResponse', {
  server_time: timestamp,
  policy_version: Type.String({ description: 'Version of the current configuration.' }),
  config_changed: Type.Boolean({ description: 'True: fetch the configuration.' }),
  revoked: Type.Boolean({ description: 'True: the device no longer belongs to the organization.' }),
});
export type HeartbeatReply = Static<typeof heartbeatReplySchema>;

export const MAX_DEVICE_EVENTS = 500;

/** A decision made on the device. It contains positions and rules, never text. */
export const deviceEventSchema = shape('DeviceEvent', {
  event_id: Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z_.:-]{0,63}$' }),
  at: Type.Optional(Type.String({ format: 'date-time', description: 'Default: time of arrival.' })),
  direction: Type.Optional(Type.Enum([...DIRECTIONS], { default: 'input' })),
  decision: Type.Enum([...DECISIONS]),
  threat_type: Type.Optional(threatEnum),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  destination_host: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.:\\[\\]-]{1,255}$' })),
  model: Type.Optional(Type.String({ maxLength: 255 })),
  reason: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9_]{1,64}$',
      description: 'Reason code of the agent, such as `offline`.',
    }),
  ),
  policy_version: Type.Optional(Type.String({ maxLength: 64 })),
  decided_by: Type.Optional(
    Type.Enum(['device', 'policy'], {
      description: '`device`: the engine on the device; `policy`: the configuration alone.',
    }),
  ),
  judged_by: Type.Optional(
    Type.Enum(['device'], {
      description:
        'The engine on the device evaluated the texts, because the gateway did not respond or a text was too large.',
    }),
  ),
  done: Type.Optional(
    Type.Enum(['forwarded', 'redacted', 'blocked'], {
      description: 'Actual outcome; a device in monitor mode forwards everything.',
    }),
  ),
  exception_id: Type.Optional(Type.String({ pattern: '^exc_[0-9A-Za-z]{1,60}$' })),
  latency_ms: Type.Optional(Type.Number({ minimum: 0, maximum: 3_600_000 })),
  fail_mode: Type.Optional(
    Type.Enum([...FAIL_MODES], {
      description: 'Fail mode that was applied because nothing could be scanned.',
    }),
  ),
  findings: Type.Optional(
    Type.Array(
      Type.Object({
        rule: Type.String({ maxLength: 128 }),
        type: threatEnum,
        path: Type.Optional(Type.String({ maxLength: 256 })),
        start: count,
        end: count,
        confidence: Type.Number({ minimum: 0, maximum: 1 }),
      }),
      { maxItems: 100 },
    ),
  ),
});
export type DeviceEvent = Static<typeof deviceEventSchema>;

/** Items are validated with deviceEventSchema one by one, so that an invalid one does not reject the others. */
export const deviceEventsSchema = shape(
  'DeviceEventsRequest',
  {
    events: Type.Array(Type.Unknown(), {
      maxItems: MAX_DEVICE_EVENTS,
      description: 'DeviceEvent objects.',
    }),
  },
  {
    examples: [
      {
        events: [{ event_id: 'evt_device_1', decision: 'block', threat_type: 'secret_leak', confidence: 1 }],
      },
    ],
  },
);

export const deviceEventsReplySchema = shape('DeviceEventsResponse', {
  accepted: Type.Array(Type.String(), {
    description: 'Ids of the events that are stored, now or before; the device may delete them.',
  }),
  rejected: Type.Array(
    Type.Object({
      index: Type.Integer(),
      event_id: nullableText,
      message: Type.String(),
    }),
    { description: 'Events that will never be accepted in this form.' },
  ),
});
export type DeviceEventsReply = Static<typeof deviceEventsReplySchema>;
