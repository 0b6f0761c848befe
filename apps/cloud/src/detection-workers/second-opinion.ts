import { type Finding, LEAST_CONFIDENCE } from '@csg/shared/detection';
import type { TextSlot } from '@csg/shared/text';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import type { Classifier } from './classifier.ts';

/** What a classifier said about a passage of a text; null: there was no answer in time. */
export interface PassageOpinion {
  readonly start: number;
  readonly end: number;
  readonly likelihood: number | null;
}

/** By the index of the text. */
export type TextOpinions = ReadonlyMap<number, readonly PassageOpinion[]>;

/** Keeps what was said about a text when it first appeared, so that it is the same in each later turn. */
export interface OpinionStore {
  /** Null: it cannot be read. */
  find(slots: readonly number[]): Promise<TextOpinions | null>;
  /** Returns what counts: what was stored first. Null: it cannot be stored. */
  keep(opinions: TextOpinions): Promise<TextOpinions | null>;
}

/** What the engine's own model is sure of either way is not asked about. */
export const UNCERTAIN_FROM = 0.05;
const UNCERTAIN_TO = 0.95;
/** Of one text the likeliest few. */
const MAX_QUESTIONS = 3;
const AROUND = 800;
const MAX_PASSAGE = 2_400;
/** No opinion is worth more than a thousand to one. */
const SUREST = 0.999;

/**
 * Asks a classifier about what the engine's model finds likely but not sure, and puts both together: the new confidence
 * is the one whose log-odds are the mean of both, and what was kept only to be asked about is dropped unless it rises.
 * What rules, personal data and secrets say stands as it is. Each text is asked about by itself, so that later texts do
 * not change what is asked about earlier ones. Without a store that works the engine's verdict stands.
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
    ({ confidence }, at) => confidence >= LEAST_CONFIDENCE || isWorthKeeping(findings[at]!),
  );
}

const NONE: TextOpinions = new Map();

/** Less was kept only to be asked about. */
function isWorthKeeping(finding: Finding): boolean {
  return !isUncertain(finding) || finding.confidence >= LEAST_CONFIDENCE;
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

/** The likeliest of each text, the likeliest of all first: the classifier takes only so many at a time. */
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

/** The finding's sentences and what stands around them. */
function passageOf(text: string, { start, end }: Finding): string {
  const from = Math.max(0, start - AROUND);
  return text.slice(from, Math.min(text.length, end + AROUND, from + MAX_PASSAGE));
}
