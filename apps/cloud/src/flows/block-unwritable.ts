import type { Verdict } from '@csg/shared/detection';
import { isWritable } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';

const WHY = 'It is in a file and cannot be masked there.';

/** Turns a verdict that redacts into one that blocks, with the reason, if a place is not writable, such as a PDF. */
export function blockUnwritable<V extends Verdict>(verdict: V, slots: readonly TextSlot[]): V {
  if (verdict.decision !== 'redact') return verdict;
  const unwritable = new Set<number>();
  for (const index of verdict.replacements.keys()) if (!isWritable(slots[index]!)) unwritable.add(index);
  if (unwritable.size === 0) return verdict;
  const types = new Set(verdict.findings.filter(({ slot }) => unwritable.has(slot)).map(({ type }) => type));
  const deciding = verdict.threats.find(({ type }) => types.has(type));
  return {
    ...verdict,
    decision: 'block',
    ...(deciding === undefined ? {} : { threatType: deciding.type, confidence: deciding.confidence }),
    threats: verdict.threats.map((threat) =>
      types.has(threat.type) ? { ...threat, details: `${threat.details} ${WHY}` } : threat,
    ),
    replacements: new Map(),
  };
}
