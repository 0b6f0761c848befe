import type { Facts, Question } from '../facts.ts';
import { tighten, type Verdict } from '../verdict.ts';

const TYPE = 'custom_policy';

/** Content that must not go where it is sent, whatever it is: an exception that names policies of one's own allows it. */
export function refusedPlace(verdict: Verdict, { rules, answers }: Facts): Verdict | Question {
  const { refused } = rules;
  if (refused === undefined) return verdict;
  if (answers.exceptions === undefined) return { ask: 'exceptions', findings: verdict.findings };
  const exception = answers.exceptions.forThreat(TYPE);
  if (exception === undefined)
    return tighten(verdict, { decision: 'block', type: TYPE, reason: refused.reason, by: refused.by });
  const exceptionIds = [...new Set([...(verdict.exceptionIds ?? []), exception])];
  return { ...verdict, exceptionIds };
}
