import { timingSafeEqual } from 'node:crypto';
import { CodedError, type Decision, type Direction } from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { openToAll } from './route-access.ts';

export interface Metrics {
  /** Returns Prometheus text for this process and the other workers. */
  read(): Promise<string>;
  /** Values of this process only. */
  values(): Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>;
  /** Counts a call of a project's policy endpoint, or one left out (`skipped`). */
  consulted(outcome: string, ms: number): void;
  /** Counts a request for a classifier's second opinion, by its outcome. */
  classified(outcome: string, ms: number): void;
  /** Counts a webhook attempt by the resulting status. */
  delivered(status: string, ms: number): void;
  /** Records whether limits are shared with other instances; never called without Redis. */
  shared(isShared: boolean): void;
  /** Counts an attempt to send an email by the resulting status. */
  emailed(status: 'sent' | 'pending' | 'failed'): void;
  /** Records how many characters of a live response are buffered. */
  held(characters: number): void;
  scanned(decision: Decision, direction: Direction, scanMs: number): void;
  /** Longer texts of a scan: how many were cached, and how many were scanned. */
  recalled(known: number, read: number): void;
  /** Counts a request rejected because of overload. */
  shed(route: string): void;
  /** Reports the work in flight at each scrape. */
  observeWork(read: () => { readonly requests: number; readonly bytes: number }): void;
  /** Reports the number of pending webhook deliveries over all instances, as of the previous scrape. */
  observeBacklog(read: () => Promise<number>): void;
  responded(method: string, route: string, status: number, ms: number): void;
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** `share` passes the registry to other processes and returns a function that reads all of them. */
export function createMetrics(share?: (registry: Registry) => () => Promise<string>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const {
    decisions,
    scans,
    texts,
    consultations,
    opinions,
    deliveries,
    emails,
    requests,
    sharing,
    rejected,
    heldTexts,
  } = createMeters(registry);
  return {
    read: share?.(registry) ?? (() => registry.metrics()),
    values: () => registry.getMetricsAsJSON(),
    consulted(outcome, ms) {
      consultations.observe({ outcome }, ms / 1000);
    },
    classified(outcome, ms) {
      opinions.observe({ outcome }, ms / 1000);
    },
    delivered(status, ms) {
      deliveries.observe({ status }, ms / 1000);
    },
    shared(isShared) {
      sharing.set(isShared ? 1 : 0);
    },
    emailed(status) {
      emails.inc({ status });
    },
    held(characters) {
      heldTexts.observe(characters);
    },
    scanned(decision, direction, scanMs) {
      decisions.inc({ decision, direction });
      scans.observe({ direction }, scanMs / 1000);
    },
    recalled(known, read) {
      if (known > 0) texts.inc({ outcome: 'known' }, known);
      if (read > 0) texts.inc({ outcome: 'read' }, read);
    },
    shed(route) {
      rejected.inc({ route });
    },
    observeWork(readWork) {
      const gauge = (name: string, help: string, of: 'requests' | 'bytes') =>
        new Gauge({
          name,
          help,
          registers: [registry],
          collect() {
            this.set(readWork()[of]);
          },
        });
      gauge('gateway_work_requests', 'Requests that are being read, evaluated or recorded.', 'requests');
      gauge('gateway_work_bytes', 'Bytes of the bodies of these requests.', 'bytes');
    },
    observeBacklog(readBacklog) {
      let last = 0;
      let isReading = false;
      new Gauge({
        name: 'gateway_webhook_deliveries_pending',
        help: 'Pending webhook deliveries of all instances, including those of paused webhooks.',
        registers: [registry],
        // All instances read the same database.
        aggregator: 'max',
        collect() {
          this.set(last);
          if (isReading) return;
          isReading = true;
          // Not awaited: a database that does not respond must not delay /metrics.
          readBacklog()
            .then((count) => {
              last = count;
            })
            .catch(() => {})
            .finally(() => {
              isReading = false;
            });
        },
      });
    },
    responded(method, route, status, ms) {
      requests.observe({ method, route, status }, ms / 1000);
    },
  };
}

function createMeters(registry: Registry) {
  const decisions = new Counter({
    name: 'gateway_decisions_total',
    help: 'Scans by decision and direction.',
    labelNames: ['decision', 'direction'],
    registers: [registry],
  });
  const scans = new Histogram({
    name: 'gateway_scan_duration_seconds',
    help: 'Time to scan and decide.',
    labelNames: ['direction'],
    buckets: SECONDS,
    registers: [registry],
  });
  const texts = new Counter({
    name: 'gateway_scan_texts_total',
    help: 'Longer texts of prompts by whether an earlier scan knew them or they were scanned.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const consultations = new Histogram({
    name: 'gateway_policy_webhook_duration_seconds',
    help: 'Time that scans wait for policy endpoints of customers, by result.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  const opinions = new Histogram({
    name: 'gateway_classifier_duration_seconds',
    help: 'Time that scans wait for second opinions, by result: answered, late, busy or failed.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers: [registry],
  });
  const deliveries = new Histogram({
    name: 'gateway_webhook_attempt_duration_seconds',
    help: 'Time of attempts to deliver a webhook, by the status after the attempt: delivered, pending (another attempt follows) or failed.',
    labelNames: ['status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const emails = new Counter({
    name: 'gateway_mail_attempts_total',
    help: 'Attempts to send an email, by its status after the attempt: sent, pending (another attempt follows) or failed.',
    labelNames: ['status'],
    registers: [registry],
  });
  const requests = new Histogram({
    name: 'gateway_http_request_duration_seconds',
    help: 'Time to respond, including the wait for the model provider.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const sharing = new Gauge({
    name: 'gateway_limits_shared',
    help: '1 while all instances count limits together in Redis; 0 while this one counts alone.',
    registers: [registry],
  });
  const rejected = new Counter({
    name: 'gateway_requests_shed_total',
    help: 'Requests rejected with 503 because of overload.',
    labelNames: ['route'],
    registers: [registry],
  });
  const heldTexts = new Histogram({
    name: 'gateway_stream_held_characters',
    help: 'Characters of a live response that were received but not yet sent, at each received part.',
    buckets: [50, 100, 200, 300, 500, 1_000, 2_000, 5_000, 10_000],
    registers: [registry],
  });
  return {
    heldTexts,
    decisions,
    scans,
    texts,
    consultations,
    opinions,
    deliveries,
    emails,
    requests,
    sharing,
    rejected,
  };
}

/** Serves `/metrics` as Prometheus text: with the configured token, else only to clients on this computer. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.responded(
      request.method,
      request.routeOptions.url ?? 'unknown',
      reply.statusCode,
      reply.elapsedTime,
    );
    done();
  });
  app.get('/metrics', { config: openToAll(), schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, token)) throw new CodedError('not_found');
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics.read());
  });
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) {
    const local = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '');
    return local && request.headers['x-forwarded-for'] === undefined;
  }
  const sent = Buffer.from(request.headers.authorization ?? '');
  const due = Buffer.from(`Bearer ${token}`);
  return sent.length === due.length && timingSafeEqual(sent, due);
}
