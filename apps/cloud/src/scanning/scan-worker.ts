import type { Direction, PiiType } from '@csg/shared/contract';
import {
  compileRuleset,
  type Finding,
  type RedactResult,
  type Ruleset,
  type RulesetInput,
  redactPii,
  scan,
} from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';

export interface ScanJob {
  readonly slots: readonly TextSlot[];
  readonly told?: readonly TextSlot[];
  readonly ruleset: RulesetInput;
  /** Identifies the ruleset's content, so that a worker compiles it once. */
  readonly rulesetKey: string;
  readonly direction: Direction;
}

export interface RedactJob {
  readonly text: string;
  readonly types: readonly PiiType[];
}

const MAX_RULESETS = 64;
const compiled = new Map<string, Ruleset>();

/** Runs in a worker thread: the same engine, away from the event loop. */
export function scanInWorker(job: ScanJob): Finding[] {
  let ruleset = compiled.get(job.rulesetKey);
  if (ruleset === undefined) {
    ruleset = compileRuleset(job.ruleset);
    if (compiled.size >= MAX_RULESETS) compiled.clear();
    compiled.set(job.rulesetKey, ruleset);
  }
  return scan(job.slots, ruleset, job.direction, job.told);
}

export function redactInWorker(job: RedactJob): RedactResult {
  return redactPii(job.text, job.types);
}
