import {
  type EndpointDelivery,
  type EndpointKind,
  type EndpointRecord,
  endpointDeliverySchema,
  endpointSchema,
} from '@csg/shared/contract';
import type { Account } from '../../access/account-of.ts';
import type { Admin } from '../../access/caller.ts';
import { redactUrl } from '../../access/redact-url.ts';
import { hasFeature } from '../../access/require-feature.ts';
import { higherRole } from '../../access/require-role.ts';
import type { Delivery, Endpoint, EndpointOf, Role, Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { endpointRow } from './endpoint-kinds.ts';
import { readBacklogs } from './webhook-records.ts';

const shown = wireOf(
  endpointSchema,
  ...(['name', 'address', 'form', 'events', 'enabled', 'paused', 'signed', 'own_secret'] as const),
  ...(['digest', 'quiet_hours', 'fail_mode', 'timeout_ms', 'synchronous'] as const),
  ...(['retries', 'backlog', 'oldest_waiting_at'] as const),
);
const shownDelivery = wireOf(endpointDeliverySchema, 'next_attempt_at');

interface RecordDeps {
  readonly storage: Pick<Storage, 'endpoints' | 'deliveries' | 'members'>;
}
/** The person who reads, with their role and plan: whole addresses are for admins. */
type Reader = Admin & { readonly role: Role; readonly account: Account };

export async function listEndpoints(
  deps: RecordDeps,
  reader: Reader,
  { kind, project_id: projectId }: { readonly kind?: EndpointKind; readonly project_id?: string },
): Promise<EndpointRecord[]> {
  const filter = { ...(kind !== undefined && { kind }), ...(projectId !== undefined && { projectId }) };
  return await showEndpoints(deps, reader, await deps.storage.endpoints.list(reader.organizationId, filter));
}

export async function showEndpoints(
  { storage }: RecordDeps,
  { organizationId, userId, role, account }: Reader,
  found: readonly Endpoint[],
): Promise<EndpointRecord[]> {
  const backlogOf = await readBacklogs(storage, organizationId, found);
  const all = await storage.endpoints.list(organizationId);
  const secretOf = new Map(all.map(({ id, secretAtMs }) => [id, secretAtMs]));
  const roles = new Map<string | null, Role>([[null, role]]);
  const roleIn = async (projectId: string | null) => {
    const known = roles.get(projectId);
    if (known !== undefined || projectId === null || userId === null) return known ?? role;
    const found = higherRole(role, await storage.members.getProjectRole(organizationId, userId, projectId));
    roles.set(projectId, found);
    return found;
  };
  const records: EndpointRecord[] = [];
  for (const endpoint of found) {
    const row = endpointRow(endpoint.kind);
    const { form = null, digest = null, quietHours = null } = endpoint as Partial<EndpointOf<'notification'>>;
    const { failMode = null, timeoutMs = null } = endpoint as Partial<EndpointOf<'policy'>>;
    const seenBy = form === 'mail' ? 'admin' : await roleIn(endpoint.projectId);
    records.push({
      ...shown(endpoint),
      ...{ name: row.name, form, events: endpoint.events === null ? null : [...endpoint.events] },
      ...{ digest, quiet_hours: quietHours, fail_mode: failMode, timeout_ms: timeoutMs },
      address: redactUrl(endpoint.url, seenBy) ?? '',
      ...{ enabled: endpoint.isEnabled, paused: endpoint.pausedAtMs !== null },
      signed: (secretOf.get(row.signedBy(endpoint as never) ?? '') ?? null) !== null,
      own_secret: row.hasSecret(endpoint as never) && hasFeature(account),
      ...{ synchronous: row.way === 'synchronous', retries: row.retryDelaysMs.length },
      ...backlogOf(endpoint.id),
    });
  }
  return records;
}

export function endpointDelivery(delivery: Delivery): EndpointDelivery {
  const isPending = delivery.status === 'pending';
  return { ...shownDelivery(delivery), next_attempt_at: isPending ? isoTime(delivery.dueAtMs) : null };
}
