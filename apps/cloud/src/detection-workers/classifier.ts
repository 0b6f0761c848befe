import { Piscina } from 'piscina';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import { createFairRunner } from '../fairness/fair-runner.ts';
import type { ClassifyJob } from './classifier-worker.ts';

/** What became of a passage: `late` and `busy` ones are judged by the engine alone, as are those that `failed`. */
export type ClassifierOutcome = 'answered' | 'late' | 'busy' | 'failed';

export interface Classifier {
  /** 0..1: how likely a passage is an attack; null if no answer came in time. Organizations take turns. */
  evaluate(owner: WorkOwner, passage: string): Promise<number | null>;
  close(): Promise<void>;
}

export interface ClassifierOptions {
  /** A folder with an ONNX text classifier and its tokenizer's files. */
  readonly dir: string;
  /** An answer that takes longer is not waited for. */
  readonly deadlineMs: number;
  readonly workers: number;
  observe(outcome: ClassifierOutcome, ms: number): void;
}

/** Passages of one organization that may wait or run, for each worker; more would only be late. */
const PENDING_PER_WORKER = 5;
const FIRST = 'Is it going to rain tomorrow?';

/** Loads the model on worker threads and asks it once; throws one sentence where it cannot be used. */
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
      // A task that is aborted takes its thread and the model with it: what runs is left to end, what waits is not begun.
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
      // waits for what is running: a thread that ends in the middle of it takes the process along
      await pool.close();
    },
  };
}

function lateAfter(ms: number): Promise<{ outcome: 'late'; likelihood: null }> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ outcome: 'late', likelihood: null }), ms).unref();
  });
}
