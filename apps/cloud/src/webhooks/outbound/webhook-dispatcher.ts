import type { ClaimedDelivery, DeliveryOutcome, DeliveryStatus, Storage } from '../../storage/storage.ts';
import type { EndpointClient } from './endpoint-client.ts';
import { endpointRow } from './endpoint-kinds.ts';

export interface WebhookDispatcherDeps {
  readonly storage: Pick<Storage, 'deliveries' | 'emails'>;
  readonly sender: Pick<EndpointClient, 'send'>;
  readonly clock: { now(): number; elapsed(): number };
  readonly log: { error(fields: object, message: string): void };
  /** Called for every attempt with the delivery's resulting status and the duration. */
  readonly observeDelivery?: (status: DeliveryStatus, ms: number) => void;
}

const MAX_AT_ONCE = 64;
/** Maximum slots that one unresponsive endpoint can occupy. */
const MAX_PER_ENDPOINT = 8;
/** Longer than an attempt can take: a worker that has not reported by then is gone. */
export const LEASE_MS = 30_000;

export interface WebhookDispatcher {
  /** Starts due deliveries while there are free slots. Never rejects; runs one poll at a time. */
  poll(): Promise<void>;
  /** Starts nothing more; resolves when no attempt is in progress. */
  close(): Promise<void>;
}

/**
 * Delivers at least once, over any number of instances: an attempt whose result could not be stored, because the
 * process was killed or the database was unavailable, is repeated.
 */
export function createWebhookDispatcher(deps: WebhookDispatcherDeps): WebhookDispatcher {
  const underWay = new Set<Promise<void>>();
  const busy = new Map<string, number>();
  let looking: Promise<void> | undefined;
  let isClosed = false;
  let hasFailed = false;

  function begin(delivery: ClaimedDelivery): void {
    const endpoint = delivery.endpointId;
    busy.set(endpoint, (busy.get(endpoint) ?? 0) + 1);
    const attempt = attemptDelivery(deps, delivery)
      .catch((err: unknown) =>
        deps.log.error({ err, delivery_id: delivery.id }, 'an attempt was not written down'),
      )
      .then(() => {
        underWay.delete(attempt);
        const left = (busy.get(endpoint) ?? 1) - 1;
        if (left === 0) busy.delete(endpoint);
        else busy.set(endpoint, left);
        // The free slot may allow another delivery.
        void dispatcher.poll();
      });
    underWay.add(attempt);
  }

  async function beginDue(): Promise<void> {
    try {
      const limit = MAX_AT_ONCE - underWay.size;
      const claim = { limit, perEndpoint: MAX_PER_ENDPOINT, busy, leaseMs: LEASE_MS };
      for (const delivery of await deps.storage.deliveries.claim(claim)) begin(delivery);
      hasFailed = false;
    } catch (err) {
      // The next poll retries; the log has the error once.
      if (!hasFailed) deps.log.error({ err }, 'webhooks cannot be delivered for now');
      hasFailed = true;
    }
  }

  const dispatcher: WebhookDispatcher = {
    async poll() {
      if (looking !== undefined || isClosed || underWay.size >= MAX_AT_ONCE) return;
      looking = beginDue();
      await looking;
      looking = undefined;
    },
    async close() {
      isClosed = true;
      await looking;
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
  return dispatcher;
}

/** Makes one attempt and stores its result. */
export async function attemptDelivery(
  deps: WebhookDispatcherDeps,
  delivery: ClaimedDelivery,
): Promise<DeliveryOutcome> {
  const { target } = delivery;
  const startedMs = deps.clock.elapsed();
  const outcome =
    target.problem !== undefined
      ? given(delivery, target.problem)
      : target.url === null || !(target.isEnabled || delivery.isTest)
        ? given(
            delivery,
            `The ${endpointRow(delivery.kind).name} was disabled before this delivery was sent.`,
          )
        : target.form === 'mail'
          ? await toOutbox(deps, delivery, target.url)
          : await post(deps, delivery, target.url);
  const durationMs = deps.clock.elapsed() - startedMs;
  deps.observeDelivery?.(outcome.status, durationMs);
  await deps.storage.deliveries.settle(delivery, { ...outcome, durationMs });
  return outcome;
}

async function post(
  deps: WebhookDispatcherDeps,
  delivery: ClaimedDelivery,
  url: string,
): Promise<DeliveryOutcome> {
  const {
    status,
    error,
    excerpt = null,
  } = await deps.sender.send({
    url,
    body: delivery.payload,
    event: delivery.event,
    deliveryId: delivery.id,
    isTest: delivery.isTest,
    secrets: delivery.target.secrets,
  });
  const nowMs = deps.clock.now();
  if (error === null) return { ...delivered(nowMs), responseStatus: status, responseExcerpt: excerpt };
  const delayMs = delivery.isTest ? undefined : endpointRow(delivery.kind).retryDelaysMs[delivery.failures];
  return {
    status: delayMs === undefined ? 'failed' : 'pending',
    failures: delivery.failures + 1,
    responseStatus: status,
    lastError: error,
    dueAtMs: nowMs + (delayMs ?? 0),
    isAttempt: true,
    responseExcerpt: excerpt,
  };
}

/** Delivered means that the message is in the outbox, which sends it again as often as it takes. */
async function toOutbox(
  { storage, clock }: WebhookDispatcherDeps,
  { organizationId, payload }: ClaimedDelivery,
  to: string,
): Promise<DeliveryOutcome> {
  await storage.emails.add({ organizationId, kind: 'notification', to, ...JSON.parse(payload) });
  return delivered(clock.now());
}

const delivered = (dueAtMs: number): DeliveryOutcome => ({
  ...{ status: 'delivered', failures: 0, lastError: null, isAttempt: true },
  ...{ responseStatus: null, dueAtMs },
});

/** The outcome if nothing was sent and there will be no automatic retry. */
function given(delivery: ClaimedDelivery, lastError: string): DeliveryOutcome {
  const { failures, responseStatus, dueAtMs } = delivery;
  return { status: 'failed', failures, responseStatus, lastError, dueAtMs, isAttempt: false };
}
