import { isWritable } from '../../providers/index.ts';
import type { Facts } from '../facts.ts';
import type { Verdict } from '../verdict.ts';

/**
 * Content that has to be masked where nothing can be written, such as in a PDF, is blocked; where it goes on unchanged in
 * any case, it is only reported.
 */
export function unwritable(verdict: Verdict, { delivery, texts }: Facts): Verdict {
  if (verdict.decision !== 'redact' || delivery === 'told') return verdict;
  if (delivery === 'unchanged') return { ...verdict, decision: 'allow', replacements: new Map() };
  const { slots } = texts.conversation;
  const isStuck = (slot: number): boolean => delivery === 'whole' || !isWritable(slots[slot]!);
  const stuck = new Set([...verdict.replacements.keys()].filter(isStuck));
  if (stuck.size === 0) return verdict;
  const types = new Set(verdict.findings.filter(({ slot }) => stuck.has(slot)).map(({ type }) => type));
  const deciding = verdict.threats.find(({ type }) => types.has(type));
  const why = delivery === 'whole' ? '' : ' It is in a file and cannot be masked there.';
  return {
    ...verdict,
    decision: 'block',
    ...(deciding !== undefined && { threatType: deciding.type, confidence: deciding.confidence }),
    threats: verdict.threats.map((threat) =>
      types.has(threat.type) ? { ...threat, details: `${threat.details}${why}` } : threat,
    ),
    replacements: new Map(),
  };
}
