import {
  type EndpointDelivery,
  type EndpointKind,
  type EndpointRecord,
  endpointDeliverySchema,
  endpointSchema,
} from '@csg/shared/contract';
import { redactUrl } from '../../access/redact-url.ts';
import type { Delivery, Endpoint, Role, Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { endpointRow } from './endpoint-kinds.ts';
import { readBacklogs } from './webhook-records.ts';

const shown = wireOf(
  endpointSchema,
  ...(['name', 'address', 'form', 'events', 'enabled', 'paused', 'signed'] as const),
  ...(['synchronous', 'retries', 'backlog', 'oldest_waiting_at'] as const),
);
const shownDelivery = wireOf(endpointDeliverySchema, 'next_attempt_at');

export async function listEndpoints(
  { storage }: { readonly storage: Pick<Storage, 'endpoints' | 'deliveries'> },
  organizationId: string,
  role: Role,
  { kind, project_id: projectId }: { readonly kind?: EndpointKind; readonly project_id?: string },
): Promise<EndpointRecord[]> {
  const all: readonly Endpoint[] = await storage.endpoints.list(organizationId);
  const found = all.filter(
    (one) => (kind ?? one.kind) === one.kind && (projectId ?? one.projectId) === one.projectId,
  );
  const backlogOf = await readBacklogs(storage, organizationId, found);
  const secretOf = new Map(all.map(({ id, secretAtMs }) => [id, secretAtMs]));
  return found.map((endpoint) => {
    const row = endpointRow(endpoint.kind);
    const form = endpoint.kind === 'notification' ? endpoint.form : null;
    return {
      ...shown(endpoint),
      ...{ name: row.name, form, events: endpoint.events === null ? null : [...endpoint.events] },
      address: (form === 'mail' ? endpoint.url : redactUrl(endpoint.url, role)) ?? '',
      ...{ enabled: endpoint.isEnabled, paused: endpoint.pausedAtMs !== null },
      signed: (secretOf.get(row.signedBy(endpoint as never) ?? '') ?? null) !== null,
      ...{ synchronous: row.way === 'synchronous', retries: row.retryDelaysMs.length },
      ...backlogOf(endpoint.id),
    };
  });
}

export function endpointDelivery(delivery: Delivery): EndpointDelivery {
  const isPending = delivery.status === 'pending';
  return { ...shownDelivery(delivery), next_attempt_at: isPending ? isoTime(delivery.dueAtMs) : null };
}
