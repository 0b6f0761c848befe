import type { Steps } from '../../text/index.ts';
import type { Facts, Question } from '../facts.ts';
import { type Excepted, lift, type Verdict } from '../verdict.ts';

/** Findings that exceptions for this caller and destination cover are reported only. */
export function* exceptions(verdict: Verdict, { answers }: Facts): Steps<Verdict | Question> {
  if (verdict.decision === 'allow' || verdict.judged.length === 0) return verdict;
  if (answers.exceptions === undefined) return { ask: 'exceptions', findings: verdict.findings };
  const { coverOf } = answers.exceptions;
  const excepted: Excepted[] = [];
  const which: Parameters<typeof lift>[1]['which'] = (finding, policyId) => {
    const exceptionId = coverOf(finding, policyId);
    if (exceptionId !== undefined) excepted.push({ finding, policyId, exceptionId });
    return exceptionId !== undefined;
  };
  const lifted = yield* lift(verdict, { by: { kind: 'exception', id: '' }, which });
  const [first] = excepted;
  if (first === undefined) return verdict;
  return {
    ...lifted,
    ...(lifted.decision !== verdict.decision && { decidedBy: { kind: 'exception', id: first.exceptionId } }),
    exceptionIds: [...new Set(excepted.map(({ exceptionId }) => exceptionId))],
    excepted,
  };
}
