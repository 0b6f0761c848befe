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
  /** What earlier scans found in the same slots, by index. */
  readonly known?: readonly (readonly Finding[] | undefined)[];
  readonly ruleset: RulesetInput;
  /** Identifies the ruleset's content, so that a worker compiles it once. */
  readonly rulesetKey: string;
  readonly direction: Direction;
}

export interface ScanResult {
  readonly findings: readonly Finding[];
  /** What was found in each slot that was not known. */
  readonly read: readonly { readonly index: number; readonly found: readonly Finding[] }[];
}

export interface RedactJob {
  readonly text: string;
  readonly types: readonly PiiType[];
}

const MAX_RULESETS = 64;
const compiled = new Map<string, Ruleset>();

/** Runs in a worker thread: the same engine, away from the event loop. */
export function scanInWorker(job: ScanJob): ScanResult {
  let ruleset = compiled.get(job.rulesetKey);
  if (ruleset === undefined) {
    ruleset = compileRuleset(job.ruleset);
    if (compiled.size >= MAX_RULESETS) compiled.clear();
    compiled.set(job.rulesetKey, ruleset);
  }
  const read: { index: number; found: readonly Finding[] }[] = [];
  const findings = scan(job.slots, ruleset, job.direction, job.told, {
    recall: (index) => job.known?.[index],
    keep: (index, found) => void read.push({ index, found }),
  });
  return { findings, read };
}

export function redactInWorker(job: RedactJob): RedactResult {
  return redactPii(job.text, job.types);
}
