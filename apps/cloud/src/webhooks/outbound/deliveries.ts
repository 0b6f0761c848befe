import {
  CodedError,
  type EndpointKind,
  ValidationError,
  type WebhookDeliveryDetail,
  type WebhookDeliveryRecord,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import type { Delivery, DeliveryStatus, Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { refuseSynchronous } from './endpoint-acts.ts';
import { deliveryRecord } from './webhook-records.ts';

interface DeliveryDeps {
  readonly storage: Pick<Storage, 'deliveries'>;
}

export interface DeliveryQuery {
  readonly kinds?: readonly EndpointKind[];
  readonly endpointId?: string;
  readonly project_id?: string;
  readonly status?: DeliveryStatus;
  readonly event?: string;
  readonly limit?: number;
  /** Id of the last delivery on the previous page. */
  readonly before?: string;
}

const DEFAULT_LIMIT = 50;
const SHOWN_KINDS: readonly EndpointKind[] = ['webhook', 'audit'];

/** Lists what this list has always shown. */
export async function listDeliveries(
  deps: DeliveryDeps,
  organizationId: string,
  query: DeliveryQuery,
): Promise<{ readonly deliveries: WebhookDeliveryRecord[]; readonly next: string | null }> {
  const { deliveries, next } = await pageOfDeliveries(deps, organizationId, { ...query, kinds: SHOWN_KINDS });
  return { deliveries: deliveries.map(deliveryRecord), next };
}

export async function pageOfDeliveries(
  { storage }: DeliveryDeps,
  organizationId: string,
  query: DeliveryQuery,
): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }> {
  const { project_id: projectId, limit = DEFAULT_LIMIT, before, ...filter } = query;
  const last = before === undefined ? null : await storage.deliveries.get(organizationId, before);
  if (before !== undefined && last === null) {
    throw new ValidationError([{ loc: ['query', 'before'], msg: 'No such delivery.', type: 'unknown' }]);
  }
  const found = await storage.deliveries.list(organizationId, {
    ...filter,
    ...(projectId !== undefined && { projectId }),
    ...(last !== null && { before: last }),
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  return { deliveries: page, next: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

export async function readDelivery(
  deps: { readonly storage: Pick<Storage, 'deliveries'> },
  organizationId: string,
  deliveryId: string,
  showsResponses: boolean,
): Promise<WebhookDeliveryDetail> {
  const found = await deps.storage.deliveries.get(organizationId, deliveryId);
  if (found === null) throw unknownDelivery();
  const attempts = await deps.storage.deliveries.listAttempts(organizationId, deliveryId);
  return {
    ...deliveryRecord(found),
    payload: JSON.parse(found.payload),
    attempt_log: attempts.map(({ number, atMs, responseStatus, error, durationMs, responseExcerpt }) => ({
      number,
      at: isoTime(atMs),
      response_status: responseStatus,
      error,
      duration_ms: durationMs,
      response_excerpt: showsResponses ? responseExcerpt : null,
    })),
  };
}

/** Makes a failed delivery due immediately, with a new series of attempts. */
export async function retryDelivery(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  admin: Admin,
  deliveryId: string,
): Promise<WebhookDeliveryRecord> {
  const { organizationId } = admin;
  return await deps.storage.transaction(async ({ deliveries, audit }) => {
    const found = await deliveries.get(organizationId, deliveryId);
    if (found === null) throw unknownDelivery();
    refuseSynchronous(found.kind);
    const retried = await deliveries.retry(organizationId, deliveryId);
    if (retried === null) {
      throw new CodedError('invalid_state', {
        message: `This delivery is ${found.status}. Only failed deliveries can be retried.`,
        fields: { status: found.status },
      });
    }
    await audit.append({
      organizationId,
      kind: 'webhook_retried',
      actor: admin.id,
      subject: deliveryId,
      data: { event: found.event, project_id: found.projectId },
    });
    return deliveryRecord(retried);
  });
}

function unknownDelivery(): CodedError {
  return new CodedError('not_found', { message: 'No such delivery.' });
}
