import { Piscina } from 'piscina';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import { createFairRunner } from '../fairness/fair-runner.ts';
import type { ClassifyJob } from './classifier-worker.ts';

/** Outcome of a passage. If it is `late`, `busy` or `failed`, the engine alone evaluates the passage. */
export type ClassifierOutcome = 'answered' | 'late' | 'busy' | 'failed';

export interface Classifier {
  /** Returns the probability (0..1) that a passage is an attack; null if late or busy. Organizations take turns. */
  evaluate(owner: WorkOwner, passage: string): Promise<number | null>;
  close(): Promise<void>;
}

export interface ClassifierOptions {
  /** A folder with an ONNX text classifier and the files of its tokenizer. */
  readonly dir: string;
  /** Timeout for a result. */
  readonly deadlineMs: number;
  readonly workers: number;
  observe(outcome: ClassifierOutcome, ms: number): void;
}

/** Maximum of waiting and running passages for each organization and worker; more would only be late. */
const PENDING_PER_WORKER = 5;
const FIRST = 'Is it going to rain tomorrow?';

/** Loads the model on worker threads and tests it once; throws an Error with one sentence if it cannot be used. */
export async function openClassifier(options: ClassifierOptions): Promise<Classifier> {
  const { dir, deadlineMs, workers, observe } = options;
  const pool = new Piscina({
    filename: new URL('./classifier-worker.ts', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
  });
  const turns = createFairRunner({ width: workers });
  const pending = new Map<string, number>();
  const count = (organizationId: string, change: 1 | -1): void => {
    const left = (pending.get(organizationId) ?? 0) + change;
    if (left === 0) pending.delete(organizationId);
    else pending.set(organizationId, left);
  };
  const classify = (passage: string): Promise<number> =>
    pool.run({ dir, passage } satisfies ClassifyJob, { name: 'classifyInWorker' });
  try {
    await Promise.all(Array.from({ length: workers }, () => classify(FIRST)));
  } catch (error) {
    await pool.destroy();
    throw new Error(`GATEWAY_CLASSIFIER_DIR names ${dir}: ${(error as Error).message}.`);
  }
  return {
    async evaluate(owner, passage) {
      const { organizationId } = owner;
      if ((pending.get(organizationId) ?? 0) >= workers * PENDING_PER_WORKER) {
        observe('busy', 0);
        return null;
      }
      const begun = performance.now();
      const patience = new AbortController();
      count(organizationId, 1);
      // Aborting a running task would end its thread and unload the model, so only waiting tasks are aborted.
      const opinion = turns
        .run(owner, 1, () => classify(passage), patience.signal)
        .finally(() => count(organizationId, -1))
        .then(
          (likelihood) => ({ outcome: 'answered' as const, likelihood }),
          () => ({ outcome: 'failed' as const, likelihood: null }),
        );
      const { outcome, likelihood } = await Promise.race([opinion, lateAfter(deadlineMs)]);
      if (outcome === 'late') patience.abort();
      observe(outcome, performance.now() - begun);
      return likelihood;
    },
    async close() {
      // Waits for running tasks: a thread that ends during inference crashes the process.
      await pool.close();
    },
  };
}

function lateAfter(ms: number): Promise<{ outcome: 'late'; likelihood: null }> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ outcome: 'late', likelihood: null }), ms).unref();
  });
}
