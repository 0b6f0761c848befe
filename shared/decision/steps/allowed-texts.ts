import { mapping, type Steps } from '../../text/index.ts';
import type { Facts, Question } from '../facts.ts';
import { lift, type Verdict } from '../verdict.ts';

/** Attacks in texts that a report of a false positive allows are reported only. */
export function* allowedTexts(verdict: Verdict, { answers }: Facts): Steps<Verdict | Question> {
  if (verdict.decision === 'allow' || verdict.judged.length === 0) return verdict;
  const reportOf = answers.allowedTexts;
  if (reportOf === undefined) return { ask: 'allowedTexts', findings: verdict.findings };
  const found = yield* mapping(verdict.findings, reportOf);
  const first = found.find((id) => id !== undefined);
  if (first === undefined) return verdict;
  const by = { kind: 'feedback', id: first } as const;
  return yield* lift(verdict, { by, which: (finding) => reportOf(finding) !== undefined });
}
