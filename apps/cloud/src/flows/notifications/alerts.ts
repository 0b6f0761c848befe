import { CodedError, type CreateAlert, ValidationError } from '@csg/shared/contract';
import type { EventAlert, Storage } from '../../storage/storage.ts';

interface AlertDeps {
  readonly storage: Pick<Storage, 'transaction'>;
}
interface Admin {
  readonly organizationId: string;
  readonly userId: string;
}

const MAX_ALERTS = 50;

/** Adds an alert of the organization, up to the limit. */
export async function addAlert(
  { storage }: AlertDeps,
  { organizationId, userId }: Admin,
  { name, filter, threshold, window_minutes: windowMinutes, endpoint_id: endpointId }: CreateAlert,
): Promise<EventAlert> {
  return await storage.transaction(async ({ organizations, endpoints, eventAlerts, audit }) => {
    // Of two concurrent calls, the second counts the alert of the first.
    await organizations.lock(organizationId);
    const endpoint = await endpoints.get(organizationId, endpointId);
    if (endpoint?.kind !== 'notification') {
      const msg = 'Name an endpoint of kind notification of this organization.';
      throw new ValidationError([{ loc: ['body', 'endpoint_id'], msg, type: 'value_error' }]);
    }
    if ((await eventAlerts.list(organizationId)).length >= MAX_ALERTS) {
      throw new CodedError('plan_limit_reached', {
        message: `An organization can have at most ${MAX_ALERTS} alerts. Delete one first.`,
        fields: { limit: MAX_ALERTS },
      });
    }
    const added = { name: name.trim(), filter, threshold, windowMinutes, endpointId };
    const alert = await eventAlerts.insert(organizationId, added);
    await audit.append({
      ...{ organizationId, kind: 'alert_created', actor: userId, subject: alert.id },
      data: { threshold, window_minutes: windowMinutes, endpoint_id: endpointId },
    });
    return alert;
  });
}

export async function removeAlert(
  { storage }: AlertDeps,
  { organizationId, userId }: Admin,
  alertId: string,
): Promise<void> {
  await storage.transaction(async ({ eventAlerts, audit }) => {
    if (!(await eventAlerts.remove(organizationId, alertId))) {
      throw new CodedError('not_found', { message: 'No such alert.' });
    }
    await audit.append({
      ...{ organizationId, kind: 'alert_removed', actor: userId, subject: alertId, data: {} },
    });
  });
}
