import type { Finding } from '@csg/shared/detection';
import type { Steps } from '@csg/shared/text';

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

export function packFindings(findings: readonly Finding[]): PackedFindings {
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
