import { Piscina } from 'piscina';
import type { ClassifyJob } from './classifier-worker.ts';

/** What became of a passage: `late` and `busy` ones are judged by the engine alone, as are those that `failed`. */
export type ClassifierOutcome = 'answered' | 'late' | 'busy' | 'failed';

export interface Classifier {
  /** 0..1: how likely a passage is an attack; null where no answer came in time. */
  judge(passage: string): Promise<number | null>;
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

/** Passages that may wait for each worker; more would only be late. */
const WAITING_PER_WORKER = 4;
const FIRST = 'Is it going to rain tomorrow?';

/** Loads the model on worker threads and asks it once; throws one sentence where it cannot be used. */
export async function openClassifier(options: ClassifierOptions): Promise<Classifier> {
  const { dir, deadlineMs, workers, observe } = options;
  const pool = new Piscina({
    filename: new URL('./classifier-worker.ts', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    maxQueue: workers * WAITING_PER_WORKER,
  });
  const ask = (passage: string): Promise<number> =>
    pool.run({ dir, passage } satisfies ClassifyJob, { name: 'classifyInWorker' });
  try {
    await Promise.all(Array.from({ length: workers }, () => ask(FIRST)));
  } catch (error) {
    await pool.destroy();
    throw new Error(`GATEWAY_CLASSIFIER_DIR names ${dir}: ${(error as Error).message}.`);
  }
  return {
    async judge(passage) {
      if (pool.queueSize >= workers * WAITING_PER_WORKER) {
        observe('busy', 0);
        return null;
      }
      const begun = performance.now();
      const since = () => performance.now() - begun;
      // A task that is aborted takes its thread and the model with it: late answers are left to come and be dropped.
      const answer = ask(passage).then(
        (likelihood) => ({ outcome: 'answered' as const, likelihood }),
        () => ({ outcome: 'failed' as const, likelihood: null }),
      );
      const { outcome, likelihood } = await Promise.race([answer, lateAfter(deadlineMs)]);
      observe(outcome, since());
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
