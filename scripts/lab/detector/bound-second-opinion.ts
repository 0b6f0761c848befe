import {
  UNCERTAIN_FROM,
  withSecondOpinion,
} from '../../../apps/cloud/src/detection-workers/second-opinion.ts';
import { decideFindings } from '../../../shared/decision/index.ts';
import { compileRuleset, type RulesetInput, scan, Workspace } from '../../../shared/detection/index.ts';
import { createRandom, type Random } from '../../../test/support/random.ts';
import type { LabelledText } from './evaluate-confidence.ts';

/** How often a classifier reports attacks, and harmless texts, as an attack. */
export interface OpinionRates {
  readonly name: string;
  readonly attacks: number;
  readonly harmless: number;
}

/**
 * PIGuard and ProtectAI v2: accuracy on malicious and on benign texts in the paper on PIGuard (arXiv 2410.22770v3).
 * Prompt Guard 2 86M: recall at 1% false positives in its model card, on its makers' English texts.
 */
const OPINIONS: readonly OpinionRates[] = [
  { name: 'always right', attacks: 1, harmless: 0 },
  { name: 'Prompt Guard 2 86M, as its makers measured it', attacks: 0.975, harmless: 0.01 },
  { name: 'PIGuard, as published', attacks: 0.774, harmless: 0.143 },
  { name: 'ProtectAI v2, as published', attacks: 0.486, harmless: 0.138 },
  { name: 'a coin', attacks: 0.5, harmless: 0.5 },
];

export interface OpinionBound {
  /** Null: without a classifier. */
  readonly name: string | null;
  /** Number of blocked texts. */
  readonly attacks: number;
  readonly harmless: number;
  /** Number of texts passed to the classifier. */
  readonly askedAttacks: number;
  readonly askedHarmless: number;
}

const OWNER = { organizationId: 'evaluation', deviceId: null };
const PRESET: RulesetInput = { useCase: 'default', strictness: 'moderate', policies: [] };
/** A confident classifier has the largest effect. */
const SURE = 0.999;

/** Measures what `default:moderate` blocks among users' texts with opinions of such quality, and without. */
export async function boundSecondOpinion(
  texts: readonly LabelledText[],
  opinions: readonly OpinionRates[] = OPINIONS,
): Promise<OpinionBound[]> {
  const alone = await countBlocked(texts, null, PRESET, createRandom(1));
  const asking = { ...PRESET, leastConfidence: UNCERTAIN_FROM };
  const bounds = [alone];
  for (const opinion of opinions) bounds.push(await countBlocked(texts, opinion, asking, createRandom(1)));
  return bounds;
}

async function countBlocked(
  texts: readonly LabelledText[],
  opinion: OpinionRates | null,
  input: RulesetInput,
  random: Random,
): Promise<OpinionBound> {
  const ruleset = compileRuleset(input);
  const workspace = new Workspace();
  const blocked = { attacks: 0, harmless: 0 };
  const asked = { attacks: 0, harmless: 0 };
  for (const { text, role, label } of texts) {
    const group = label === 1 ? 'attacks' : 'harmless';
    const slots = [{ path: '/messages/0/content', role, text }];
    let isAsked = false;
    const evaluate = async (): Promise<number> => {
      isAsked = true;
      return random.next() < opinion![group] ? SURE : 1 - SURE;
    };
    const scanned = scan(slots, ruleset, 'input', { workspace });
    const findings =
      opinion === null
        ? scanned
        : await withSecondOpinion(OWNER, slots, scanned, { evaluate, close: async () => {} });
    const { decision, threatType } = decideFindings(findings, ruleset, 'input', 'block');
    if (isAsked) asked[group]++;
    if (decision === 'block' && threatType !== 'secret_leak') blocked[group]++;
  }
  const { attacks, harmless } = blocked;
  return {
    name: opinion?.name ?? null,
    attacks,
    harmless,
    askedAttacks: asked.attacks,
    askedHarmless: asked.harmless,
  };
}
