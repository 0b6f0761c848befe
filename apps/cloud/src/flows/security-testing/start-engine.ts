import { CodedError } from '@csg/shared/contract';
import { decide, type Verdict } from '@csg/shared/detection';
import type { Scanner } from '../../detection-workers/scanner.ts';
import type { WorkOwner } from '../../fairness/fair-queue.ts';
import { type ProbeRequest, readProbe } from '../../security-testing/probe.ts';
import { unscannableVerdict } from '../unscannable.ts';
import type { TargetPreset } from './resolve-preset.ts';

/** The engine with one preset, without any project's policies. */
export interface TestEngine {
  /** Rejects if the scan fails or takes longer than this. */
  evaluate(request: ProbeRequest, withinMs: number): Promise<Verdict>;
}

/** Compiles the preset and scans one text with it; rejects with engine_unavailable if either fails. */
export async function startEngine(
  scanner: Pick<Scanner, 'ruleset' | 'scan'>,
  owner: WorkOwner,
  preset: TargetPreset,
): Promise<TestEngine> {
  try {
    const ruleset = scanner.ruleset({
      useCase: preset.useCase,
      strictness: preset.strictness,
      policies: [],
    });
    const engine: TestEngine = {
      async evaluate({ slots, direction }, withinMs) {
        const found = scanner.scan(owner, slots, ruleset, direction);
        const verdict = found.then(
          (findings) => decide(findings, ruleset.compiled, direction),
          unscannableVerdict,
        );
        return await inTime(verdict, withinMs);
      },
    };
    await engine.evaluate(readProbe('Is the engine there?'), START_MS);
    return engine;
  } catch (cause) {
    throw new CodedError('engine_unavailable', { cause });
  }
}

const START_MS = 5_000;

async function inTime<T>(coming: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DOMException('The scan took too long.', 'TimeoutError')), ms);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}
