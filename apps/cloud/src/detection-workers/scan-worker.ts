import type { Direction, PiiType } from '@csg/shared/contract';
import {
  compileRuleset,
  type Finding,
  type RedactResult,
  type Ruleset,
  type RulesetInput,
  redactPii,
  scan,
  UnscannableTextError,
  Workspace,
} from '@csg/shared/detection';
import { finish } from '@csg/shared/text';
import {
  type FindingsOfSlots,
  findingsBySlot,
  type PackedFindings,
  packFindings,
} from './packed-findings.ts';
import { type PackedSlots, unpackSlots } from './packed-slots.ts';

export interface ScanJob {
  readonly slots: PackedSlots;
  readonly systemSlots?: PackedSlots;
  /** What earlier scans found in the same slots; undefined if nothing is to be cached. */
  readonly known?: FindingsOfSlots | undefined;
  readonly ruleset: RulesetInput;
  /** Identifies the ruleset's content, so that a worker compiles it once. */
  readonly rulesetKey: string;
  readonly direction: Direction;
}

export interface ScanResult {
  readonly findings: PackedFindings;
  /** Slots that were scanned and their findings; null if nothing is to be cached. */
  readonly read: FindingsOfSlots | null;
}

export interface RedactJob {
  readonly text: string;
  readonly types: readonly PiiType[];
}

/** The tasks of a scan thread. */
export type ScanTask =
  | { readonly name: 'scan'; readonly job: ScanJob }
  | { readonly name: 'redact'; readonly job: RedactJob };

const MAX_RULESETS = 64;
/** Twice the size of a large customer list. Deciding on and masking more findings would block the event loop. */
const MAX_FINDINGS = 250_000;
const compiled = new Map<string, Ruleset>();
const workspace = new Workspace();

/** Runs in a worker thread: the same engine, off the event loop. */
export function runScanTask(task: ScanTask): ScanResult | RedactResult {
  return task.name === 'scan' ? scanJob(task.job) : redactPii(task.job.text, task.job.types, workspace);
}

function scanJob(job: ScanJob): ScanResult {
  let ruleset = compiled.get(job.rulesetKey);
  if (ruleset === undefined) {
    ruleset = compileRuleset(job.ruleset);
    if (compiled.size >= MAX_RULESETS) compiled.clear();
    compiled.set(job.rulesetKey, ruleset);
  }
  const read: number[] = [];
  const found: Finding[] = [];
  const known = job.known && finish(findingsBySlot(job.known));
  const memory = known && {
    recall: (index: number) => known.get(index),
    keep(index: number, findings: readonly Finding[]) {
      read.push(index);
      for (const finding of findings) found.push(finding);
    },
  };
  const findings = scan(unpackSlots(job.slots), ruleset, job.direction, {
    systemSlots: job.systemSlots === undefined ? [] : unpackSlots(job.systemSlots),
    memory,
    workspace,
  });
  if (findings.length > MAX_FINDINGS) throw new UnscannableTextError('too_costly');
  return {
    findings: finish(packFindings(findings)),
    read: known === undefined ? null : { slots: read, findings: finish(packFindings(found)) },
  };
}
