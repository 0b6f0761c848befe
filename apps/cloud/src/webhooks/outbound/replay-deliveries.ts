import {
  CodedError,
  type ReplayDeliveries,
  type ReplayedDeliveries,
  ValidationError,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject } from '../../access/find-project.ts';
import type { DeliveryStatus, Storage } from '../../storage/storage.ts';
import { firstWebhookId } from './project-webhooks.ts';

/** Maximum number of deliveries for one call; the next call replays the rest. */
const MAX_REPLAYED = 10_000;
const STATUSES: Readonly<Record<NonNullable<ReplayDeliveries['status']>, readonly DeliveryStatus[]>> = {
  failed: ['failed'],
  delivered: ['delivered'],
  all: ['failed', 'delivered'],
};

/** Replays the deliveries of a time span, oldest first, each under its own id. */
export async function replayDeliveries(
  deps: {
    readonly storage: Pick<Storage, 'projects' | 'furtherWebhooks' | 'webhooks' | 'audit'>;
    readonly clock: { now(): number };
  },
  admin: Admin,
  { projectId, webhookId }: { readonly projectId: string; readonly webhookId: string },
  { from, to, status = 'failed' }: ReplayDeliveries,
): Promise<ReplayedDeliveries> {
  const { organizationId } = admin;
  const project = await findProject(deps.storage, admin, projectId);
  const isFirst = webhookId === firstWebhookId(projectId) && project.webhookUrl !== null;
  const further = await deps.storage.furtherWebhooks.list(organizationId, projectId);
  if (!isFirst && !further.some(({ id }) => id === webhookId)) {
    throw new CodedError('not_found', { message: 'This project has no such webhook.' });
  }
  const fromMs = Date.parse(from);
  const toMs = to === undefined ? deps.clock.now() + 1 : Date.parse(to);
  if (fromMs >= toMs) {
    throw new ValidationError([
      { loc: ['body', 'from'], msg: '`from` must be before `to`.', type: 'value_error' },
    ]);
  }
  const replayed = await deps.storage.webhooks.replay(organizationId, {
    projectId,
    webhookId: isFirst ? null : webhookId,
    statuses: STATUSES[status],
    fromMs,
    toMs,
    limit: MAX_REPLAYED,
  });
  await deps.storage.audit.append({
    organizationId,
    kind: 'webhook_replayed',
    actor: admin.id,
    subject: projectId,
    data: { webhook_id: webhookId, status, from_ms: fromMs, to_ms: toMs, deliveries: replayed },
  });
  return { replayed, has_more: replayed === MAX_REPLAYED };
}
