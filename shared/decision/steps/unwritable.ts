import { isWritable } from '../../providers/index.ts';
import type { Facts } from '../facts.ts';
import type { Verdict } from '../verdict.ts';
import { refusalOf } from './signed-content.ts';

/**
 * Content that has to be masked where nothing can be written, such as in a PDF or a signed block, is blocked; where it
 * goes on unchanged in any case, it is only reported.
 */
export function unwritable(verdict: Verdict, { delivery, texts }: Facts): Verdict {
  if (verdict.decision !== 'redact') return verdict;
  if (delivery === 'unchanged') return { ...verdict, decision: 'allow', replacements: new Map() };
  const { slots } = texts.conversation;
  const isStuck = (slot: number): boolean => {
    if (delivery === 'told') return slots[slot]!.signedBlock !== undefined;
    return delivery === 'whole' || !isWritable(slots[slot]!);
  };
  const stuck = new Set([...verdict.replacements.keys()].filter(isStuck));
  if (stuck.size === 0) return verdict;
  const types = new Set(verdict.findings.filter(({ slot }) => stuck.has(slot)).map(({ type }) => type));
  const deciding = verdict.threats.find(({ type }) => types.has(type));
  const [signedBlock] = [...stuck].flatMap((slot) => slots[slot]!.signedBlock ?? []);
  const place =
    signedBlock === undefined
      ? 'It is in a file and cannot be masked there.'
      : refusalOf({ path: signedBlock });
  const why = delivery === 'whole' ? '' : ` ${place}`;
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
