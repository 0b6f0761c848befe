import type { DecidedBy } from '../../contract/index.ts';
import type { Replacement } from '../../text/index.ts';
import type { Facts, ServiceVerdict } from '../facts.ts';
import { tighten, type Verdict } from '../verdict.ts';
import { refusalOf, SIGNED, touchedBlocks } from './signed-content.ts';

/** For threats that the service did not name. */
const UNNAMED = 'custom_policy';

/**
 * On a device: the service's verdicts on the texts that it was asked about. While it gives none, its earlier block of the
 * same texts counts, unless an exception lifted what was found.
 */
export function service(verdict: Verdict, facts: Facts): Verdict {
  const { answers } = facts;
  if (answers.service === undefined) return verdict;
  const { verdicts, blockedBefore } = answers.service;
  const joined = verdicts.map((one) => withoutSigned(one, facts)).reduce(withService, verdict);
  if (blockedBefore === null || joined.excepted !== undefined) return joined;
  const { threatType, confidence } = blockedBefore;
  const reason = 'The service has blocked this before.';
  return tighten(joined, {
    ...{ decision: 'block', type: threatType ?? UNNAMED, confidence },
    ...{ reason, by: undefined },
  });
}

function withService(verdict: Verdict, one: ReadVerdict): Verdict {
  if (one.decision === 'allow') return verdict;
  const next = tighten(verdict, {
    ...{ decision: one.decision, type: one.threatType ?? UNNAMED, confidence: one.confidence },
    ...{ reason: one.reason ?? 'Found by the service.', by: one.by },
    replacements: new Map([...verdict.replacements, ...one.replacements]),
  });
  return next.decision === verdict.decision ? next : { ...next, ofService: one };
}

interface ReadVerdict extends ServiceVerdict {
  readonly reason?: string;
  readonly by?: DecidedBy;
}

/** The service reads a signed block as a text that can be masked; here it goes on as it is, or not at all. */
function withoutSigned(one: ServiceVerdict, { texts, answers }: Facts): ReadVerdict {
  const { signed = [], conversation } = texts;
  if (one.decision !== 'redact' || signed.length === 0) return one;
  const touched = touchedBlocks(conversation.slots, signed);
  const replacements = new Map<number, readonly Replacement[]>();
  for (const [slot, list] of one.replacements) {
    const blocks = list.flatMap(({ start, end }) => touched({ slot, start, end }).blocks);
    const unknown = blocks.find((block) => answers.isAnswered?.(block) !== true);
    if (unknown !== undefined)
      return { ...one, decision: 'block', replacements: new Map(), reason: refusalOf(unknown), by: SIGNED };
    const outside = list.filter(({ start, end }) => !touched({ slot, start, end }).isWithin);
    if (outside.length > 0) replacements.set(slot, outside);
  }
  return { ...one, decision: replacements.size === 0 ? 'allow' : 'redact', replacements };
}
