import { STRICTNESS } from '../../contract/index.ts';
import { attributeFindingsInSteps } from '../../detection/index.ts';
import { isReportedHeader } from '../../providers/index.ts';
import type { Steps } from '../../text/index.ts';
import type { Facts, Texts } from '../facts.ts';
import { decideFindingsInSteps } from '../judge-findings.ts';
import type { Verdict } from '../verdict.ts';

/** Attributes the findings to the author of their text; preset and policies decide. Of two readings the stricter. */
export function* presetAndPolicy(verdict: Verdict, { scan, texts, rules }: Facts): Steps<Verdict> {
  if (scan.kind !== 'read') return verdict;
  let strictest = verdict;
  for (const { direction, findings } of scan.found) {
    if (findings.length === 0) continue;
    const found = yield* attributeFindingsInSteps(findings, texts.conversation, {
      ...{ ...texts, direction },
      isReported: reportedIn(texts),
    });
    const decided = yield* decideFindingsInSteps(found, rules.ruleset, direction, rules.untrustedData);
    const isStricter = STRICTNESS[decided.decision] > STRICTNESS[strictest.decision];
    if (isStricter || strictest === verdict) strictest = decided;
  }
  return strictest;
}

const reportedIn = ({ isReported }: Texts): NonNullable<Texts['isReported']> =>
  function* (finding, slot) {
    return (
      isReportedHeader(finding.pii, slot) || (isReported !== undefined && (yield* isReported(finding, slot)))
    );
  };
