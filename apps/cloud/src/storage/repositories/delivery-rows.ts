import { createHash } from 'node:crypto';
import { ENDPOINT_KINDS, type EndpointKind, endpointPrefix } from '@csg/shared/contract';
import { newId } from '../ids.ts';
import type { NewDelivery } from '../model/deliveries.ts';
import type { Database } from '../schema.ts';
import { toFlag, toStorableText } from '../stored-values.ts';

const ORPHANED_TEST_MS = 60_000;

/** Returns the same id for the same key and endpoint, so that a second delivery is not stored. */
function onceId(organizationId: string, { onceKey, projectId, endpointId }: NewDelivery): string {
  const named = JSON.stringify([organizationId, projectId, endpointId, onceKey]);
  return `whd_${createHash('sha256').update(named).digest('hex').slice(0, 32)}`;
}

function kindOf(endpointId: string): EndpointKind {
  const prefix = endpointId.slice(0, endpointId.indexOf('_'));
  const kind = ENDPOINT_KINDS.find((one) => endpointPrefix(one) === prefix);
  if (kind === undefined) throw new TypeError('The id is not that of an endpoint.');
  return kind;
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
    endpoint_id: delivery.endpointId,
    kind: kindOf(delivery.endpointId),
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
