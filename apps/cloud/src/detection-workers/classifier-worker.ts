import { type Classify, loadClassifier } from './load-classifier.ts';

export interface ClassifyJob {
  readonly dir: string;
  readonly passage: string;
}

let loading: Promise<Classify> | undefined;

/** Runs in a worker thread. Each thread loads one model with its first passage. */
export async function classifyInWorker({ dir, passage }: ClassifyJob): Promise<number> {
  loading ??= loadClassifier(dir);
  return (await loading)(passage);
}
