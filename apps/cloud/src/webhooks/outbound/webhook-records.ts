import {
  ownEndpointId,
  type ProjectWebhook,
  type WebhookDeliveryRecord,
  type WebhookSettings,
  webhookDeliverySchema,
} from '@csg/shared/contract';
import type { Account } from '../../access/account-of.ts';
import { hasFeature } from '../../access/require-feature.ts';
import type { Delivery, Endpoint, EndpointOf, Storage } from '../../storage/storage.ts';
import { isoTime, isoTimeOrNull } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';

const shownDelivery = wireOf(webhookDeliverySchema, 'next_attempt_at', 'webhook_id');

/** As it was shown before deliveries named their endpoint: of a first webhook and of an audit target by the owner. */
export function deliveryRecord(delivery: Delivery): WebhookDeliveryRecord {
  const { endpointId, projectId, status, dueAtMs } = delivery;
  const isOwn = projectId === null || endpointId === ownEndpointId('webhook', projectId);
  return {
    ...shownDelivery(delivery),
    webhook_id: isOwn ? null : endpointId,
    next_attempt_at: status === 'pending' ? isoTime(dueAtMs) : null,
  };
}

export function webhookSettings(
  projectId: string,
  endpoint: EndpointOf<'webhook'> | null,
  account: Pick<Account, 'planName'>,
  warnings: readonly string[],
): WebhookSettings {
  const secretAtMs = endpoint?.secretAtMs ?? null;
  return {
    project_id: projectId,
    webhook_url: endpoint?.url ?? null,
    webhook_enabled: endpoint?.isEnabled ?? false,
    signing: {
      available: hasFeature(account),
      enabled: secretAtMs !== null,
      created_at: isoTimeOrNull(secretAtMs),
      previous_valid_until: isoTimeOrNull(endpoint?.previousUntilMs ?? null),
    },
    warnings: [...warnings],
  };
}

type BacklogOf = (endpointId: string) => Pick<ProjectWebhook, 'backlog' | 'oldest_waiting_at'>;

export async function readBacklogs(
  { deliveries }: Pick<Storage, 'deliveries'>,
  organizationId: string,
  endpoints: readonly Pick<Endpoint, 'id'>[],
): Promise<BacklogOf> {
  const ids = endpoints.map(({ id }) => id);
  const backlogs = await deliveries.listBacklogs(organizationId, ids);
  return (id) => {
    const backlog = backlogs.find(({ endpointId }) => endpointId === id);
    return { backlog: backlog?.count ?? 0, oldest_waiting_at: isoTimeOrNull(backlog?.oldestMs ?? null) };
  };
}

export function webhookRecord(endpoint: EndpointOf<'webhook'>, backlogOf: BacklogOf): ProjectWebhook {
  const { id, projectId, url, isEnabled, events, secretAtMs, pausedAtMs } = endpoint;
  return {
    id,
    project_id: projectId ?? '',
    webhook_url: url,
    webhook_enabled: isEnabled,
    events: events === null ? null : ([...events] as NonNullable<ProjectWebhook['events']>),
    signed: secretAtMs !== null,
    paused: pausedAtMs !== null,
    ...backlogOf(id),
  };
}
