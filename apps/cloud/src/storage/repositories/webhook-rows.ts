import { createHash } from 'node:crypto';
import { newId } from '../ids.ts';
import type { NewDelivery } from '../model/webhooks.ts';
import type { Database } from '../schema.ts';
import { toFlag, toStorableText } from '../stored-values.ts';

const ORPHANED_TEST_MS = 60_000;

/** Returns the same id for the same key and webhook, so that a second delivery is not stored. */
function onceId(organizationId: string, { onceKey, projectId, webhookId }: NewDelivery): string {
  const named = JSON.stringify([organizationId, projectId, webhookId ?? null, onceKey]);
  return `whd_${createHash('sha256').update(named).digest('hex').slice(0, 32)}`;
}

export function newDeliveryRow(
  organizationId: string,
  delivery: NewDelivery,
  atMs: number,
): Database['webhook_deliveries'] {
  return {
    id: delivery.onceKey === undefined ? newId('whd') : onceId(organizationId, delivery),
    organization_id: organizationId,
    project_id: delivery.projectId,
    webhook_id: delivery.webhookId ?? null,
    event: delivery.event,
    event_id: delivery.eventId,
    payload: toStorableText(delivery.payload),
    is_test: toFlag(delivery.isTest ?? false),
    status: 'pending',
    attempts: 0,
    failures: 0,
    response_status: null,
    last_error: null,
    // The instance that received a test request sends the test; if that instance is gone, another one does.
    due_at_ms: delivery.isTest ? atMs + ORPHANED_TEST_MS : atMs,
    lease_id: null,
    lease_ends_at_ms: 0,
    last_attempt_at_ms: null,
    created_at_ms: atMs,
  };
}
