import {
  type WebhookDeliveryRecord,
  type WebhookSettings,
  webhookDeliverySchema,
} from '@csg/shared/contract';
import type { Account } from '../../access/account-of.ts';
import { hasFeature } from '../../access/require-feature.ts';
import type { Project, SecretState, WebhookDelivery } from '../../storage/storage.ts';
import { isoTime, isoTimeOrNull } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';

const shownDelivery = wireOf(webhookDeliverySchema, 'next_attempt_at');

export function deliveryRecord(delivery: WebhookDelivery): WebhookDeliveryRecord {
  const isPending = delivery.status === 'pending';
  return { ...shownDelivery(delivery), next_attempt_at: isPending ? isoTime(delivery.dueAtMs) : null };
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
      created_at: isoTimeOrNull(secret?.createdAtMs ?? null),
      previous_valid_until: isoTimeOrNull(secret?.previousUntilMs ?? null),
    },
    warnings: [...warnings],
  };
}
