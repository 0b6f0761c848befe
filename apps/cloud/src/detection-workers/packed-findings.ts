import type { Finding } from '@csg/shared/detection';
import { pausing, type Steps } from '@csg/shared/text';

/** Findings as sent by a thread: copying 250,000 objects would block the event loop. */
export interface PackedFindings {
  /** Each distinct combination of the fields other than the position. */
  readonly kinds: readonly Omit<Finding, 'slot' | 'start' | 'end'>[];
  /** Four numbers for each finding: index of its kind, slot, start, end. */
  readonly positions: Int32Array;
}

const COLUMNS = 4;
/** Findings between two pauses. */
const STRIDE = 256;

export function* packFindings(findings: readonly Finding[]): Steps<PackedFindings> {
  const kinds: Omit<Finding, 'slot' | 'start' | 'end'>[] = [];
  const numbers = new Map<string, number>();
  const positions = new Int32Array(findings.length * COLUMNS);
  for (const [index, { slot, start, end, ...kind }] of findings.entries()) {
    const key = JSON.stringify(kind);
    let number = numbers.get(key);
    if (number === undefined) {
      number = kinds.push(kind) - 1;
      numbers.set(key, number);
    }
    positions.set([number, slot, start, end], index * COLUMNS);
    if (index % STRIDE === STRIDE - 1) yield;
  }
  return { kinds, positions };
}

export function* unpackFindings({ kinds, positions }: PackedFindings): Steps<Finding[]> {
  const findings: Finding[] = [];
  for (let at = 0; at < positions.length; at += COLUMNS) {
    const [slot, start, end] = [positions[at + 1]!, positions[at + 2]!, positions[at + 3]!];
    findings.push({ ...kinds[positions[at]!]!, slot, start, end });
    if (findings.length % STRIDE === 0) yield;
  }
  return findings;
}

/** Slots, and the findings in them. */
export interface FindingsOfSlots {
  readonly slots: readonly number[];
  readonly findings: PackedFindings;
}

/** Packs what is known of some slots, by index. */
export function* packFindingsOfSlots(
  known: readonly (readonly Finding[] | undefined)[],
): Steps<FindingsOfSlots> {
  const slots: number[] = [];
  const findings: Finding[] = [];
  yield* pausing(known.entries(), ([index, found]) => {
    if (found === undefined) return;
    slots.push(index);
    for (const finding of found) findings.push({ ...finding, slot: index });
  });
  return { slots, findings: yield* packFindings(findings) };
}

/** Returns the findings of each of the slots. */
export function* findingsBySlot({ slots, findings }: FindingsOfSlots): Steps<ReadonlyMap<number, Finding[]>> {
  const bySlot = new Map<number, Finding[]>(slots.map((index) => [index, []]));
  yield* pausing(yield* unpackFindings(findings), (finding) => void bySlot.get(finding.slot)?.push(finding));
  return bySlot;
}
