import type { Finding } from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { Classifier } from './classifier.ts';

/** What the engine's own model is sure of either way is not asked about. */
const UNCERTAIN_FROM = 0.2;
const UNCERTAIN_TO = 0.8;
/** Of one scan the likeliest few. */
const MAX_QUESTIONS = 3;
const AROUND = 800;
const MAX_PASSAGE = 2_400;
/** No opinion is worth more than a thousand to one. */
const SUREST = 0.999;

/**
 * Asks a classifier about what the engine's model finds likely but not sure, and puts both together: the new confidence
 * is the one whose log-odds are the mean of both. What rules, personal data and secrets say stands as it is.
 */
export async function withSecondOpinion(
  owner: WorkOwner,
  slots: readonly TextSlot[],
  findings: readonly Finding[],
  classifier: Classifier,
): Promise<readonly Finding[]> {
  const uncertain = findings
    .filter(isUncertain)
    .sort((one, other) => other.confidence - one.confidence)
    .slice(0, MAX_QUESTIONS);
  const opinions = new Map<Finding, number>();
  await Promise.all(
    uncertain.map(async (finding) => {
      const likelihood = await classifier.evaluate(owner, passageOf(slots[finding.slot]!.text, finding));
      if (likelihood !== null) opinions.set(finding, averageLogOdds(finding.confidence, likelihood));
    }),
  );
  return findings.map((finding) => {
    const confidence = opinions.get(finding);
    return confidence === undefined ? finding : { ...finding, confidence };
  });
}

export function isUncertain(finding: Finding): boolean {
  return (
    finding.rule.startsWith('model.') &&
    finding.confidence >= UNCERTAIN_FROM &&
    finding.confidence < UNCERTAIN_TO
  );
}

/** The confidence whose log-odds are the mean of both. */
export function averageLogOdds(own: number, other: number): number {
  return 1 / (1 + Math.exp(-(logOdds(own) + logOdds(other)) / 2));
}

function logOdds(likelihood: number): number {
  const bounded = Math.min(SUREST, Math.max(1 - SUREST, likelihood));
  return Math.log(bounded / (1 - bounded));
}

/** The finding's sentences and what stands around them. */
function passageOf(text: string, { start, end }: Finding): string {
  const from = Math.max(0, start - AROUND);
  return text.slice(from, Math.min(text.length, end + AROUND, from + MAX_PASSAGE));
}
