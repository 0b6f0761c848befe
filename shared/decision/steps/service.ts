import type { Facts, ServiceVerdict } from '../facts.ts';
import { tighten, type Verdict } from '../verdict.ts';

/** For threats that the service did not name. */
const UNNAMED = 'custom_policy';

/**
 * On a device: the service's verdicts on the texts that it was asked about. While it gives none, its earlier block of the
 * same texts counts, unless an exception lifted what was found.
 */
export function service(verdict: Verdict, { answers }: Facts): Verdict {
  if (answers.service === undefined) return verdict;
  const { verdicts, blockedBefore } = answers.service;
  const joined = verdicts.reduce(withService, verdict);
  if (blockedBefore === null || joined.excepted !== undefined) return joined;
  const { threatType, confidence } = blockedBefore;
  const reason = 'The service has blocked this before.';
  return tighten(joined, {
    ...{ decision: 'block', type: threatType ?? UNNAMED, confidence },
    ...{ reason, by: undefined },
  });
}

function withService(verdict: Verdict, one: ServiceVerdict): Verdict {
  if (one.decision === 'allow') return verdict;
  const next = tighten(verdict, {
    ...{ decision: one.decision, type: one.threatType ?? UNNAMED, confidence: one.confidence },
    ...{ reason: 'Found by the service.', by: undefined },
    replacements: new Map([...verdict.replacements, ...one.replacements]),
  });
  return next.decision === verdict.decision ? next : { ...next, ofService: one };
}
