import type { WebhookDeliveryRecord, WebhookSettings } from '@csg/shared/contract';
import type { Account } from '../../access/account-of.ts';
import { hasFeature } from '../../access/require-feature.ts';
import type { Project, SecretState, WebhookDelivery } from '../../storage/storage.ts';

export function deliveryRecord(delivery: WebhookDelivery): WebhookDeliveryRecord {
  return {
    id: delivery.id,
    project_id: delivery.projectId,
    event: delivery.event,
    event_id: delivery.eventId,
    is_test: delivery.isTest,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.responseStatus,
    last_error: delivery.lastError,
    next_attempt_at: delivery.status === 'pending' ? iso(delivery.dueAtMs) : null,
    last_attempt_at: iso(delivery.lastAttemptAtMs),
    created_at: new Date(delivery.createdAtMs).toISOString(),
  };
}

export function webhookSettings(
  project: Project,
  secret: SecretState | null,
  account: Pick<Account, 'planName'>,
  warnings: readonly string[],
): WebhookSettings {
  return {
    project_id: project.id,
    webhook_url: project.webhookUrl,
    webhook_enabled: project.webhookEnabled,
    signing: {
      available: hasFeature(account),
      enabled: secret !== null,
      created_at: iso(secret?.createdAtMs ?? null),
      previous_valid_until: iso(secret?.previousUntilMs ?? null),
    },
    warnings: [...warnings],
  };
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
