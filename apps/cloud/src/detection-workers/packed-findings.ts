import type { Finding } from '@csg/shared/detection';

/** Findings as a thread hands them over: copying a quarter of a million objects would take the event loop's time. */
export interface PackedFindings {
  /** Each combination of everything but the place, once. */
  readonly kinds: readonly Omit<Finding, 'slot' | 'start' | 'end'>[];
  /** Of each finding: index of its kind, slot, start, end. */
  readonly places: Int32Array;
}

const COLUMNS = 4;

export function packFindings(findings: readonly Finding[]): PackedFindings {
  const kinds: Omit<Finding, 'slot' | 'start' | 'end'>[] = [];
  const numbers = new Map<string, number>();
  const places = new Int32Array(findings.length * COLUMNS);
  for (const [index, { slot, start, end, ...kind }] of findings.entries()) {
    const key = JSON.stringify(kind);
    let number = numbers.get(key);
    if (number === undefined) {
      number = kinds.push(kind) - 1;
      numbers.set(key, number);
    }
    places.set([number, slot, start, end], index * COLUMNS);
  }
  return { kinds, places };
}

export function unpackFindings({ kinds, places }: PackedFindings): Finding[] {
  const findings: Finding[] = [];
  for (let at = 0; at < places.length; at += COLUMNS) {
    const [slot, start, end] = [places[at + 1]!, places[at + 2]!, places[at + 3]!];
    findings.push({ ...kinds[places[at]!]!, slot, start, end });
  }
  return findings;
}
