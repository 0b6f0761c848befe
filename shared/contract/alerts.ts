import Type, { type Static } from 'typebox';
import { nullable, shape, timestamp, title } from './fields.ts';
import { eventQuerySchema } from './insight.ts';

/** What an endpoint is told of an alert; it needs no subscription, because the alert names the endpoint. */
export const ALERT_EVENT = 'events.threshold';

/*#__NO_SIDE_EFFECTS__*/
function filterFields() {
  const { format, from, to, sort, order, before, ...filters } = eventQuerySchema.properties;
  return filters;
}

export const alertFilterSchema = shape('AlertFilter', filterFields(), {
  additionalProperties: false,
  description: 'Filters of GET /dashboard/events, without times and order.',
});
export type AlertFilter = Static<typeof alertFilterSchema>;

const fields = {
  name: title(80),
  filter: alertFilterSchema,
  threshold: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'The number of matching events from which the endpoint is notified.',
  }),
  window_minutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    description: 'The time in which they are counted, and in which at most one notification is sent.',
  }),
  endpoint_id: Type.String({
    ...{ minLength: 1, maxLength: 64 },
    description: 'An endpoint of kind `notification`.',
  }),
};

export const createAlertSchema = shape('CreateAlertRequest', fields, {
  examples: [
    {
      name: 'Card numbers',
      filter: { threat_type: 'pii_leak', decision: 'block' },
      threshold: 20,
      window_minutes: 60,
      endpoint_id: 'ntf_8Kq2',
    },
  ],
});
export type CreateAlert = Static<typeof createAlertSchema>;

export const alertSchema = shape('Alert', {
  id: Type.String(),
  ...fields,
  created_at: timestamp,
  notified_at: nullable(timestamp, { description: 'The last notification; null: none yet.' }),
});
export type AlertRecord = Static<typeof alertSchema>;
