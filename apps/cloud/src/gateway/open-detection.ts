import { type Classifier, openClassifier } from '../detection-workers/classifier.ts';
import { createScanCache } from '../detection-workers/scan-cache.ts';
import { createScanner, type Scanner } from '../detection-workers/scanner.ts';
import { createPacedTurns, type PacedTurns } from '../fairness/paced-turns.ts';
import type { Opening } from './opening.ts';

export interface Detection {
  readonly scanner: Scanner;
  /** Runs the steps that read large bodies. */
  readonly pacedTurns: PacedTurns;
}

/** Opens the engine with the configured classifier and cache. `threadFile`: the module that scan threads run. */
export async function openDetection(opening: Opening, threadFile: URL | undefined): Promise<Detection> {
  const { config, clock, metrics, closing } = opening;
  const classifier = await openConfiguredClassifier(opening);
  const pacedTurns = createPacedTurns({ elapsed: clock.elapsed });
  const scanner = createScanner({
    workers: config.scanWorkers,
    deadlineMs: config.scanDeadlineMs,
    threadFile,
    classifier,
    pacedTurns,
    memory:
      config.scanMemoryBytes === 0
        ? undefined
        : createScanCache({ sizeBytes: config.scanMemoryBytes, observe: metrics.recalled }),
  });
  closing.defer(() => scanner.close());
  return { scanner, pacedTurns };
}

async function openConfiguredClassifier({
  config,
  metrics,
  closing,
}: Opening): Promise<Classifier | undefined> {
  if (config.classifierDir === undefined) return undefined;
  const classifier = await openClassifier({
    dir: config.classifierDir,
    deadlineMs: config.classifierDeadlineMs,
    workers: config.classifierWorkers,
    observe: metrics.classified,
  });
  closing.defer(() => classifier.close());
  return classifier;
}
