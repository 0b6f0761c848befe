import cluster, { type Worker } from 'node:cluster';
import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/**
 * A worker that receives a request for `/metrics` asks the primary process (`read`), which asks every worker (`collect`)
 * and returns one text. prom-client's own implementation waits five seconds and then fails if a worker is starting or
 * gone.
 */
type Message =
  | { readonly type: 'csg:metrics:read' | 'csg:metrics:collect'; readonly id: number }
  | { readonly type: 'csg:metrics:collected'; readonly id: number; readonly metrics: Metrics }
  | { readonly type: 'csg:metrics:all'; readonly id: number; readonly text: string };
type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** Workers that do not respond within this time are left out. */
const RESPONSE_TIMEOUT_MS = 1_000;

/** Runs in the primary process. */
export function gatherMetrics(): void {
  const pending = new Map<number, (metrics: Metrics) => void>();
  const serving = new Set<Worker>();
  let id = 0;
  cluster.on('listening', (worker) => serving.add(worker));
  cluster.on('exit', (worker) => serving.delete(worker));
  cluster.on('message', (worker, message: Message) => {
    if (message?.type === 'csg:metrics:collected') pending.get(message.id)?.(message.metrics);
    if (message?.type === 'csg:metrics:read') void respond(worker, message.id);
  });

  async function respond(worker: Worker, questionId: number): Promise<void> {
    const all = await Promise.all([...serving].map(requestMetrics));
    const text = await AggregatorRegistry.aggregate(all).metrics();
    send(worker, { type: 'csg:metrics:all', id: questionId, text });
  }

  async function requestMetrics(worker: Worker): Promise<Metrics> {
    const own = ++id;
    try {
      return await new Promise<Metrics>((resolve) => {
        pending.set(own, resolve);
        send(worker, { type: 'csg:metrics:collect', id: own });
        setTimeout(resolve, RESPONSE_TIMEOUT_MS, []).unref();
      });
    } finally {
      pending.delete(own);
    }
  }
}

/** Ignores errors, because the worker may have exited. */
function send(worker: Worker, message: Message): void {
  worker.send(message, undefined, undefined, () => {});
}

/**
 * Runs in a worker: returns a function that reads the metrics of all workers. Each worker has its own label, so that
 * when one dies its counters end instead of lowering a sum.
 */
export function shareMetrics(registry: Registry): () => Promise<string> {
  registry.setDefaultLabels({ worker: String(cluster.worker?.id) });
  const readers = new Map<number, (text: string) => void>();
  let id = 0;
  const sendMessage = (message: Message) => process.send?.(message);
  process.on('message', async (message: Message) => {
    if (message?.type === 'csg:metrics:all') {
      readers.get(message.id)?.(message.text);
      readers.delete(message.id);
    }
    if (message?.type === 'csg:metrics:collect') {
      const metrics = (await registry.getMetricsAsJSON()) as Metrics;
      sendMessage({ type: 'csg:metrics:collected', id: message.id, metrics });
    }
  });
  return () =>
    new Promise((resolve) => {
      readers.set(++id, resolve);
      sendMessage({ type: 'csg:metrics:read', id });
    });
}
