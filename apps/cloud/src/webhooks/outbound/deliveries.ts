import {
  CodedError,
  ValidationError,
  type WebhookDeliveryDetail,
  type WebhookDeliveryRecord,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import type { DeliveryStatus, Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { newDelivery } from './new-delivery.ts';
import { attemptDelivery, LEASE_MS, type WebhookDispatcherDeps } from './webhook-dispatcher.ts';
import { deliveryRecord } from './webhook-records.ts';

export interface DeliveryQuery {
  readonly project_id?: string;
  readonly status?: DeliveryStatus;
  readonly event?: string;
  readonly limit?: number;
  /** Id of the last delivery on the previous page. */
  readonly before?: string;
}

const DEFAULT_LIMIT = 50;

export async function listDeliveries(
  deps: { readonly storage: Pick<Storage, 'webhooks'> },
  organizationId: string,
  query: DeliveryQuery,
): Promise<{ readonly deliveries: WebhookDeliveryRecord[]; readonly next: string | null }> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const last =
    query.before === undefined ? null : await deps.storage.webhooks.get(organizationId, query.before);
  if (query.before !== undefined && last === null) {
    throw new ValidationError([{ loc: ['query', 'before'], msg: 'No such delivery.', type: 'unknown' }]);
  }
  const found = await deps.storage.webhooks.list(organizationId, {
    ...(query.project_id === undefined ? {} : { projectId: query.project_id }),
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(query.event === undefined ? {} : { event: query.event }),
    ...(last === null ? {} : { before: last }),
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  return {
    deliveries: page.map(deliveryRecord),
    next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

export async function readDelivery(
  deps: { readonly storage: Pick<Storage, 'webhooks'> },
  organizationId: string,
  deliveryId: string,
  showsResponses: boolean,
): Promise<WebhookDeliveryDetail> {
  const found = await deps.storage.webhooks.get(organizationId, deliveryId);
  if (found === null) throw unknownDelivery();
  const attempts = await deps.storage.webhooks.listAttempts(organizationId, deliveryId);
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
  return await deps.storage.transaction(async ({ webhooks, audit }) => {
    const found = await webhooks.get(organizationId, deliveryId);
    if (found === null) throw unknownDelivery();
    const retried = await webhooks.retry(organizationId, deliveryId);
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

/** Sends a made-up event to the project's webhook, once, and returns the result. */
export async function testWebhook(
  deps: Omit<WebhookDispatcherDeps, 'storage'> & {
    readonly storage: Pick<Storage, 'projects' | 'webhooks' | 'furtherWebhooks' | 'transaction'>;
    readonly newEventId: (nowMs: number) => string;
  },
  admin: Admin,
  projectId: string,
  /** null: the project's first webhook. */
  webhookId: string | null = null,
): Promise<WebhookDeliveryRecord> {
  const { organizationId } = admin;
  const atMs = deps.clock.now();
  const data = {
    // Its form shows that there is no such event to look up.
    event_id: deps.newEventId(atMs).replace('evt_', 'evt_test_'),
    decision: 'allow' as const,
    threat_type: 'prompt_injection' as const,
    confidence: 0,
    reason: 'A test of this webhook. Nothing was detected or blocked.',
  };
  const made = await deps.storage.transaction(async (repositories) => {
    const project = await findProject(repositories, admin, projectId);
    if (webhookId !== null) {
      const further = await repositories.furtherWebhooks.list(organizationId, projectId);
      if (!further.some(({ id }) => id === webhookId)) {
        throw new CodedError('not_found', { message: 'This project has no such webhook.' });
      }
    } else if (project.webhookUrl === null) {
      throw new CodedError('invalid_state', { message: 'Save an endpoint URL first.' });
    }
    const delivery = newDelivery({
      event: 'threat.detected',
      eventId: data.event_id,
      atMs,
      projectId,
      data,
    });
    const [made] = await repositories.webhooks.enqueue(organizationId, [
      { ...delivery, webhookId, isTest: true },
    ]);
    const subject = made!.id;
    const entry = { organizationId, kind: 'webhook_tested', actor: admin.id, subject };
    await repositories.audit.append({ ...entry, data: { project_id: projectId } });
    return made!;
  });
  const claimed = await deps.storage.webhooks.claimOne(organizationId, made.id, LEASE_MS);
  if (claimed !== null) await attemptDelivery(deps, claimed);
  return deliveryRecord((await deps.storage.webhooks.get(organizationId, made.id)) ?? made);
}

function unknownDelivery(): CodedError {
  return new CodedError('not_found', { message: 'No such delivery.' });
}
