import Type, { type Static } from 'typebox';
import { choice, nullable, nullableText, shape, timestamp } from './fields.ts';

export const NOTIFICATION_KINDS = ['mail', 'slack', 'teams', 'webhook'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const NOTIFICATION_EVENTS = [
  'request.waiting',
  'request.decided',
  'device.gave_up',
  'device.silent',
  'webhook.failing',
  'blocks.burst',
  'quota',
  'audit.failed',
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

const timeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' });
export const quietHoursSchema = shape('QuietHours', {
  from: timeOfDay,
  to: timeOfDay,
  time_zone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA name, such as Europe/Berlin. Default: UTC.' }),
  ),
});
export type QuietHours = Static<typeof quietHoursSchema>;

const events = nullable(
  Type.Array(choice('NotificationEvent', NOTIFICATION_EVENTS), {
    minItems: 1,
    maxItems: NOTIFICATION_EVENTS.length,
    uniqueItems: true,
  }),
  { description: 'Events that the target is notified of; null: all.' },
);
const digest = nullable(Type.Enum(['hourly', 'daily']), {
  description: 'One message per hour or per day (08:00 UTC) instead of one per event; null: immediately.',
});
const quietHours = nullable(quietHoursSchema, {
  description: 'Notifications of events in these hours are sent when the hours end.',
});
const kind = Type.Enum([...NOTIFICATION_KINDS]);

/** Which events a target is notified of, and when. */
export const notificationRulesSchema = shape('NotificationRules', {
  kind,
  events: Type.Optional(events),
  digest: Type.Optional(digest),
  quiet_hours: Type.Optional(quietHours),
});

export const createNotificationTargetSchema = shape(
  'CreateNotificationTargetRequest',
  {
    ...notificationRulesSchema.properties,
    address: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'An email address, or the https address of an incoming webhook.',
    }),
  },
  {
    examples: [
      { kind: 'slack', address: 'https://hooks.slack.com/services/T0/B0/x', events: ['request.waiting'] },
    ],
  },
);
export type CreateNotificationTarget = Static<typeof createNotificationTargetSchema>;

export const notificationTargetSchema = shape('NotificationTarget', {
  id: Type.String(),
  kind,
  address: Type.String({ description: 'Members and viewers see only the host.' }),
  events,
  digest,
  quiet_hours: quietHours,
  signed: Type.Boolean({ description: 'True if bodies are signed, like those of webhooks.' }),
  secret: Type.Optional(Type.String({ description: 'Shown once, for webhooks on Enterprise.' })),
  last_error: nullableText,
  last_sent_at: nullable(timestamp),
  created_at: timestamp,
});
export type NotificationTargetRecord = Static<typeof notificationTargetSchema>;

export const notificationTestSchema = shape('NotificationTest', {
  delivered: Type.Boolean(),
  error: nullableText,
});
export type NotificationTest = Static<typeof notificationTestSchema>;
