import { CodedError } from '@csg/shared/contract';
import { decideNow, rulesOfPreset, triedFacts, type Verdict } from '@csg/shared/decision';
import { UnscannableTextError } from '@csg/shared/detection';
import type { Scanner } from '../../detection-workers/scanner.ts';
import type { WorkOwner } from '../../fairness/fair-queue.ts';
import { type ProbeRequest, readProbe } from '../../security-testing/probe.ts';
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
      async evaluate(request, withinMs) {
        const found = scanner
          .scan(owner, request.conversation.slots, ruleset, request.direction)
          .catch(unscannable);
        const rules = rulesOfPreset(ruleset.compiled, preset.strictness);
        return decideNow(triedFacts(request, await inTime(found, withinMs), rules));
      },
    };
    await engine.evaluate(readProbe('Is the engine there?'), START_MS);
    return engine;
  } catch (cause) {
    throw new CodedError('engine_unavailable', { cause });
  }
}

/** Throws any other error. */
function unscannable(cause: unknown) {
  if (!(cause instanceof UnscannableTextError)) throw cause;
  return { kind: 'unscannable', cause } as const;
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
