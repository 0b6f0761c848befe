import {
  CodedError,
  type EndpointKind,
  type ReplayDeliveries,
  type ReplayedDeliveries,
  ValidationError,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import type { Delivery, DeliveryOutcome, DeliveryStatus, Endpoint, Storage } from '../../storage/storage.ts';
import { endpointRow } from './endpoint-kinds.ts';
import { attemptDelivery, LEASE_MS, type WebhookDispatcherDeps } from './webhook-dispatcher.ts';

/** Maximum number of deliveries for one call; the next call replays the rest. */
const MAX_REPLAYED = 10_000;
const STATUSES: Readonly<Record<NonNullable<ReplayDeliveries['status']>, readonly DeliveryStatus[]>> = {
  failed: ['failed'],
  delivered: ['delivered'],
  all: ['failed', 'delivered'],
};

type Named = Pick<Endpoint, 'id' | 'kind' | 'projectId' | 'organizationId'>;

/** The audit row of an act: of a webhook, about its project. */
export const endpointEntry = (
  { id, kind, projectId, organizationId }: Named,
  admin: Admin,
  act: string,
  data: object,
) => ({
  ...{ organizationId, actor: admin.id, kind: `${endpointRow(kind).audit}_${act}` },
  ...{ subject: projectId ?? id, data: { ...(projectId !== null && { webhook_id: id }), ...data } },
});

/** A paused endpoint is not called: what is queued waits, and a policy endpoint takes no part in decisions. */
export async function pauseEndpoint(
  deps: { readonly storage: Pick<Storage, 'transaction'>; readonly forgetKeys: () => void },
  admin: Admin,
  endpoint: Named,
  isPaused: boolean,
): Promise<void> {
  await deps.storage.transaction(async ({ endpoints, audit }) => {
    await endpoints.pause(endpoint.organizationId, endpoint.id, isPaused);
    await audit.append(endpointEntry(endpoint, admin, isPaused ? 'paused' : 'resumed', {}));
  });
  deps.forgetKeys();
}

/** Replays the deliveries of a time span, oldest first, each under its own id. */
export async function replayDeliveries(
  deps: {
    readonly storage: Pick<Storage, 'deliveries' | 'audit'>;
    readonly clock: { now(): number };
  },
  admin: Admin,
  endpoint: Named,
  { from, to, status = 'failed' }: ReplayDeliveries,
): Promise<ReplayedDeliveries> {
  refuseSynchronous(endpoint.kind);
  const fromMs = Date.parse(from);
  const toMs = to === undefined ? deps.clock.now() + 1 : Date.parse(to);
  if (fromMs >= toMs) {
    throw new ValidationError([
      { loc: ['body', 'from'], msg: '`from` must be before `to`.', type: 'value_error' },
    ]);
  }
  const replayed = await deps.storage.deliveries.replay(admin.organizationId, {
    endpointId: endpoint.id,
    statuses: STATUSES[status],
    fromMs,
    toMs,
    limit: MAX_REPLAYED,
  });
  const data = { status, from_ms: fromMs, to_ms: toMs, deliveries: replayed };
  await deps.storage.audit.append(endpointEntry(endpoint, admin, 'replayed', data));
  return { replayed, has_more: replayed === MAX_REPLAYED };
}

/** A decision does not wait for a second answer. */
export function refuseSynchronous(kind: EndpointKind): void {
  const { way, name } = endpointRow(kind);
  if (way === 'queued') return;
  throw new CodedError('invalid_state', { message: `Calls of a ${name} are not repeated.` });
}

export interface TestDeps extends Omit<WebhookDispatcherDeps, 'storage'> {
  readonly storage: WebhookDispatcherDeps['storage'] & Pick<Storage, 'endpoints' | 'transaction'>;
  readonly newEventId: (nowMs: number) => string;
}

/** Returns an endpoint of any kind that has an address. */
export async function findEndpoint(
  { storage }: { readonly storage: Pick<Storage, 'endpoints'> },
  { organizationId }: Admin,
  endpointId: string,
): Promise<Endpoint> {
  const found = await storage.endpoints.get(organizationId, endpointId);
  if (found === null || found.url === null) {
    throw new CodedError('not_found', { message: 'No such endpoint.' });
  }
  return found;
}

/** Returns the outcome of a synchronous call; null: the endpoint's deliveries are queued. */
async function askNow(
  { storage, sender, clock }: TestDeps,
  endpoint: Endpoint,
  { payload: body }: Pick<Delivery, 'payload'>,
): Promise<DeliveryOutcome | null> {
  const { ask, signedBy } = endpointRow(endpoint.kind);
  if (ask === undefined) return null;
  const secrets = await storage.endpoints.signingSecrets(signedBy(endpoint as never) ?? '');
  const startedMs = clock.elapsed();
  const { status, error } = await ask(sender, endpoint as never, { secrets, body, isTest: true });
  return {
    ...(error === null
      ? ({ status: 'delivered', failures: 0 } as const)
      : ({ status: 'failed', failures: 1 } as const)),
    ...{ responseStatus: status, lastError: error, dueAtMs: clock.now(), isAttempt: true },
    durationMs: clock.elapsed() - startedMs,
  };
}

/** Sends a made-up event to an endpoint, once, and returns the result. */
export async function testEndpoint(deps: TestDeps, admin: Admin, endpoint: Endpoint): Promise<Delivery> {
  const { organizationId, id: endpointId, kind, projectId } = endpoint;
  const atMs = deps.clock.now();
  // Its form shows that there is no such event to look up.
  const eventId = deps.newEventId(atMs).replace('evt_', 'evt_test_');
  const content = endpointRow(kind).test(endpoint as never, { atMs, eventId });
  const outcome = await askNow(deps, endpoint, content);
  const delivery = { ...content, endpointId, isTest: true };
  const made = await deps.storage.transaction(async ({ deliveries, audit }) => {
    const [made] =
      outcome === null
        ? await deliveries.enqueue(organizationId, [delivery])
        : [await deliveries.record(organizationId, delivery, outcome)];
    const entry = { ...endpointEntry(endpoint, admin, 'tested', {}), subject: made!.id };
    await audit.append({ ...entry, data: { project_id: projectId } });
    return made!;
  });
  const claimed = await deps.storage.deliveries.claimOne(organizationId, made.id, LEASE_MS);
  if (claimed !== null) await attemptDelivery(deps, claimed);
  return (await deps.storage.deliveries.get(organizationId, made.id)) ?? made;
}
