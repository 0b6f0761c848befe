import { type Finding, MIN_CONFIDENCE } from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { Classifier } from './classifier.ts';

/** A classifier's result for a passage of a text; null: no result in time. */
export interface PassageOpinion {
  readonly start: number;
  readonly end: number;
  readonly likelihood: number | null;
}

/** Opinions by the index of the text. */
export type TextOpinions = ReadonlyMap<number, readonly PassageOpinion[]>;

/** Stores the opinions about a text when it first appears, so that they are the same in every later turn. */
export interface OpinionStore {
  /** Returns null if they cannot be read. */
  find(slots: readonly number[]): Promise<TextOpinions | null>;
  /** Returns the opinions in force, which are those stored first. Null: they cannot be stored. */
  keep(opinions: TextOpinions): Promise<TextOpinions | null>;
}

/** Passages about which the engine's own model is sure are not sent to the classifier. */
export const UNCERTAIN_FROM = 0.05;
const UNCERTAIN_TO = 0.95;
/** Maximum passages of one text, the likeliest first. */
const MAX_QUESTIONS = 3;
const AROUND = 800;
const MAX_PASSAGE = 2_400;
/** Limits the weight of an opinion to odds of a thousand to one. */
const MAX_LIKELIHOOD = 0.999;

/**
 * Asks a classifier about findings of which the engine's model is unsure, and combines both: the new confidence has
 * the mean of both log-odds. Findings kept only for this question are dropped unless their confidence rises. Findings
 * of rules, personal data and secrets do not change. Each text is handled independently, so that later texts do not
 * change the questions about earlier ones. Without a working store the engine's verdict stands.
 */
export async function withSecondOpinion(
  owner: WorkOwner,
  slots: readonly TextSlot[],
  findings: readonly Finding[],
  classifier: Classifier,
  store?: OpinionStore,
): Promise<readonly Finding[]> {
  const uncertain = findings.filter(isUncertain);
  const known = await (store?.find([...new Set(uncertain.map(({ slot }) => slot))]) ?? NONE);
  if (known === null) return findings.filter(isWorthKeeping);
  const questions = chooseQuestions(uncertain.filter(({ slot }) => !known.has(slot)));
  const asked = await askAbout(owner, slots, questions, classifier);
  const kept = store === undefined || asked.size === 0 ? asked : await store.keep(asked);
  const opinions = new Map([...known, ...(kept ?? NONE)]);
  const settled = findings.map((finding) => {
    if (!isUncertain(finding)) return finding;
    const likelihood = opinions.get(finding.slot)?.find((one) => isSamePassage(one, finding))?.likelihood;
    return typeof likelihood === 'number'
      ? { ...finding, confidence: averageLogOdds(finding.confidence, likelihood) }
      : finding;
  });
  return settled.filter(
    ({ confidence }, at) => confidence >= MIN_CONFIDENCE || isWorthKeeping(findings[at]!),
  );
}

const NONE: TextOpinions = new Map();

/** Findings with a lower confidence were only kept to ask the classifier. */
function isWorthKeeping(finding: Finding): boolean {
  return !isUncertain(finding) || finding.confidence >= MIN_CONFIDENCE;
}

export function isUncertain(finding: Finding): boolean {
  return (
    finding.rule.startsWith('model.') &&
    finding.confidence >= UNCERTAIN_FROM &&
    finding.confidence < UNCERTAIN_TO
  );
}

/** Returns the confidence with the mean of both log-odds. */
export function averageLogOdds(own: number, other: number): number {
  return 1 / (1 + Math.exp(-(logOdds(own) + logOdds(other)) / 2));
}

function logOdds(likelihood: number): number {
  const bounded = Math.min(MAX_LIKELIHOOD, Math.max(1 - MAX_LIKELIHOOD, likelihood));
  return Math.log(bounded / (1 - bounded));
}

/** Selects the likeliest passages of each text, likeliest first, because the classifier takes a limited number. */
function chooseQuestions(uncertain: readonly Finding[]): readonly Finding[] {
  const chosen = new Map<number, Finding[]>();
  const likeliest = [...uncertain].sort((one, other) => other.confidence - one.confidence);
  return likeliest.filter((finding) => {
    const ofText = chosen.get(finding.slot) ?? [];
    if (ofText.length === MAX_QUESTIONS || ofText.some((one) => isSamePassage(one, finding))) return false;
    chosen.set(finding.slot, [...ofText, finding]);
    return true;
  });
}

async function askAbout(
  owner: WorkOwner,
  slots: readonly TextSlot[],
  questions: readonly Finding[],
  classifier: Classifier,
): Promise<TextOpinions> {
  const opinions = await Promise.all(
    questions.map(async (finding) => {
      const { slot, start, end } = finding;
      const likelihood = await classifier.evaluate(owner, passageOf(slots[slot]!.text, finding));
      return { slot, opinion: { start, end, likelihood } };
    }),
  );
  const bySlot = new Map<number, PassageOpinion[]>();
  for (const { slot, opinion } of opinions) bySlot.set(slot, [...(bySlot.get(slot) ?? []), opinion]);
  return bySlot;
}

function isSamePassage(one: Pick<Finding, 'start' | 'end'>, other: Pick<Finding, 'start' | 'end'>): boolean {
  return one.start === other.start && one.end === other.end;
}

/** The sentences of the finding, with surrounding text. */
function passageOf(text: string, { start, end }: Finding): string {
  const from = Math.max(0, start - AROUND);
  return text.slice(from, Math.min(text.length, end + AROUND, from + MAX_PASSAGE));
}
