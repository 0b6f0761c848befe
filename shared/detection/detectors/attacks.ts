import type { ThreatType } from '../../contract/index.ts';
import type { SlotRole } from '../../text/index.ts';
import { CONCEPT_NAMES } from '../lexicon/tables.ts';
import { contextOf, relief } from '../model/context.ts';
import { FeatureList } from '../model/feature-list.ts';
import { featuresOf } from '../model/features.ts';
import { bestWindow, lengthToll, unitScore, unitsAbove } from '../model/score.ts';
import { confidenceOf, MODELS, type ReadingKind, type ReadingModel } from '../model/weights.ts';
import { clean } from '../normalize/clean.ts';
import { type Decoded, DISGUISES, decodePieces, MAX_DECODE_DEPTH } from '../normalize/decode.ts';
import { looksLikeWords } from '../normalize/known-words.ts';
import { readText } from '../read/read-text.ts';
import { MAX_PIECE, Reading } from '../read/reading.ts';
import { RULE_SETS } from '../rules/index.ts';
import { createMatcher, type RuleHit } from '../rules/match-rules.ts';
import { type Detector, isData, place } from './detector.ts';
import { asksToRead, isSpokenAbout } from './spoken-about.ts';
import { relieve, type UserTask } from './user-task.ts';

/** Below this a reading says nothing worth keeping. */
const MIN_CONFIDENCE = 0.2;
/** Pieces of long texts overlap by this much, so that nothing hides on a border. */
const OVERLAP = 600;
/** Rules are tried on units that the model does not hold for plainly harmless: this far below its threshold. Log-odds. */
const RULE_GATE = 1;
/** Where a unit holds both halves of an override, its words may be in a bad sentence's company and still count. */
const OVERRIDE_GATE = 5;
const MAX_RULE_PIECE = 700;
/** Data is read twice; the second reading must be surer, so that both share one budget of false alarms. Log-odds. */
const SECOND_READING_TOLL = 3;

const matchRules = createMatcher(RULE_SETS.attacks);
const reading = new Reading();
const list = new FeatureList();
const candidates = new Int32Array(MAX_PIECE);

/** What the learned model makes of a text. */
export interface Judgement {
  /** Which reading, or the code the text was written in. */
  readonly kind: string;
  readonly confidence: number;
  readonly start: number;
  readonly end: number;
  readonly type: ThreatType;
}

export interface AttackReading {
  readonly judgement: Judgement | undefined;
  readonly hits: readonly RuleHit[];
}

/** What the model itself wrote speaks of attacks, or of commands, more often than it is one. */
const SHARE_OF_MODELS: Readonly<Partial<Record<SlotRole, number>>> = { assistant: 0.7, tool_call: 0.6 };

/** The learned model over a text as its author's order and, for data, as data; rules where the model is not at ease. */
export const detectAttacks: Detector = (view, findings) => {
  if (view.direction === 'output') return;
  const data = isData(view.slot);
  const { judgement, hits } = readAttacks(view.cleaned.text, data, 0, view.task, view.toll);
  const disguised = view.cleaned.hidden + view.cleaned.mixed > 2;
  const { text } = view.cleaned;
  for (const { rule, start, end } of hits) {
    findings.push({
      ...place(view, start, end),
      type: data ? 'indirect_prompt_injection' : rule.type,
      rule: rule.id,
      confidence: isSpokenAbout(text, start, end)
        ? rule.confidence / 2
        : disguised
          ? Math.min(0.99, rule.confidence + 0.1)
          : rule.confidence,
      reason: rule.reason,
    });
  }
  if (judgement === undefined || judgement.confidence < MIN_CONFIDENCE) return;
  findings.push({
    ...place(view, judgement.start, judgement.end),
    type: data ? 'indirect_prompt_injection' : judgement.type,
    rule: `model.${judgement.kind}`,
    confidence: judgement.confidence * (SHARE_OF_MODELS[view.slot.role] ?? 1),
    reason: data
      ? 'Gives the model an order from inside the data.'
      : (REASONS[judgement.type] ?? REASONS.prompt_injection),
  });
};

/**
 * Reads a text piece by piece: the strongest judgement, and every rule that matches, once each. `extraToll`: log-odds by
 * which the model has to be surer than elsewhere.
 */
export function readAttacks(
  text: string,
  asData: boolean,
  depth = 0,
  task: UserTask | null = null,
  extraToll = 0,
): AttackReading {
  let best: Judgement | undefined;
  const hits: RuleHit[] = [];
  for (let from = 0; from < text.length; ) {
    const to = Math.min(text.length, from + MAX_PIECE);
    readText(text, from, to, reading, asData);
    if (asData || reading.concepts > 0) {
      featuresOf(reading, list, asData);
      const ease = asData ? contextOf(text, reading, list) : 0;
      if (asData && task !== null) relieve(reading, task, relief);
      const sentences = Math.ceil((reading.sentences * text.length) / (to - from));
      for (const kind of asData ? KINDS_DATA : KINDS_USER) {
        const model = MODELS[kind];
        const window = bestWindow(reading, list, model, kind === 'data' ? relief : undefined);
        const toll =
          extraToll +
          lengthToll(sentences, model) +
          (asData && kind === 'user' ? SECOND_READING_TOLL : -ease);
        const confidence = confidenceOf(model, window.score - toll);
        if (confidence >= MIN_CONFIDENCE && (best === undefined || confidence > best.confidence)) {
          const start = reading.unitStart[window.first]!;
          best = {
            kind,
            confidence,
            start,
            end: reading.unitEnd[window.last]!,
            type: typeOf(window.first, window.last),
          };
        }
        if (kind === 'user') tryRules(text, ruleCandidates(model), hits);
      }
    }
    if (depth < MAX_DECODE_DEPTH) {
      for (const decoded of decodePieces(text, from, to, reading)) {
        const inside = judgeDecoded(decoded, text, asData, depth);
        if (inside !== undefined && (best === undefined || inside.confidence > best.confidence))
          best = inside;
      }
    }
    if (to === text.length) break;
    from = to - OVERLAP;
  }
  return { judgement: best, hits };
}

/** Sentences in a code, whatever they say. */
const DISGUISE_ALONE = 0.6;
const VALUE_BEFORE = /(?:base64,|["'=])$/;

/** An order in a code is worse than the same order in the open; whole sentences in a code are suspicious by themselves. */
function judgeDecoded(
  decoded: Decoded,
  whole: string,
  asData: boolean,
  depth: number,
): Judgement | undefined {
  const { start, end, kind } = decoded;
  const text = clean(decoded.text).text;
  const isDisguise = DISGUISES.has(kind);
  const { judgement, hits } = readAttacks(text, asData, depth + 1);
  const rule = hits.reduce((highest, hit) => Math.max(highest, hit.rule.confidence), 0);
  const inside = Math.max(rule, judgement?.confidence ?? 0);
  const mostly = end - start > whole.length * 0.3 || end - start > 80;
  const isTransport = kind === 'base64' || kind === 'hex';
  // Files travel in base64, as values and in data: addresses: then only what is inside counts.
  const isOdd =
    isDisguise && !(isTransport && (asData || VALUE_BEFORE.test(whole.slice(Math.max(0, start - 7), start))));
  const isSuspect =
    isOdd && mostly && (kind === 'vowelless' || looksLikeWords(text)) && !asksToRead(whole, start, end);
  const alone = isSuspect ? DISGUISE_ALONE : 0;
  const confidence = Math.max(alone, isOdd && inside > 0.3 ? Math.min(0.98, inside + 0.2) : inside);
  const type = hits[0]?.rule.type ?? judgement?.type ?? 'prompt_injection';
  return confidence === 0
    ? undefined
    : { kind: `decoded-${kind.replace(' ', '-')}`, confidence, start, end, type };
}

/** Units that rules are tried on, into `candidates`; returns how many. */
function ruleCandidates(model: ReadingModel): number {
  const likely = unitsAbove(reading, model, model.threshold - OVERRIDE_GATE, candidates);
  let count = 0;
  let word = 0;
  for (let i = 0; i < likely; i++) {
    const unit = candidates[i]!;
    let halves = 0;
    if (unitScore(unit, model) <= model.threshold - RULE_GATE) {
      while (reading.unit[word]! < unit) word++;
      for (; word < reading.words && reading.unit[word] === unit; word++)
        halves |= HALF_OF[reading.concept[word]!]!;
      if (halves !== BOTH_HALVES) continue;
    }
    candidates[count++] = unit;
  }
  return count;
}

/** Candidates in order, each with the unit after it; what was tried already is not tried again. */
function tryRules(text: string, count: number, hits: RuleHit[]): void {
  let done = -1;
  for (let i = 0; i < count; i++) {
    const unit = candidates[i]!;
    const start = reading.unitStart[unit]!;
    const next = Math.min(unit + 1, reading.units - 1);
    const end = Math.min(reading.unitEnd[next]!, start + MAX_RULE_PIECE);
    if (end <= done) continue;
    matchRules(text, start, end, hits);
    done = end;
  }
}

const KINDS_USER: readonly ReadingKind[] = ['user'];
const KINDS_DATA: readonly ReadingKind[] = ['data', 'user'];

const REASONS = {
  instruction_override: 'Tells the model to drop or replace its instructions.',
  system_prompt_leak: 'Asks for what the model was told to keep.',
  jailbreak: 'Asks the model to act as if it had no rules.',
  data_exfiltration: 'Asks for data to be sent somewhere.',
  prompt_injection: 'Reads like an attempt to steer the model against its instructions.',
} as Readonly<Partial<Record<ThreatType, string>>> & { readonly prompt_injection: string };

const concept = (name: string) => CONCEPT_NAMES.indexOf(name);
const IGNORE = concept('ignore');
const ORDER = ['instruction', 'previous', 'prompt', 'system'].map(concept);
/** The halves of an override that a meaning may be. */
const BOTH_HALVES = 3;
const HALF_OF = new Uint8Array(256);
HALF_OF[IGNORE] = 1;
for (const meaning of ORDER) HALF_OF[meaning] = 2;
const SHOW = ['reveal', 'repeat', 'know', 'encode', 'hint', 'translate'].map(concept);
const GOODS = ['secret', 'password', 'prompt', 'system', 'instruction'].map(concept);
const PLAY = ['pretend', 'jailbreak', 'restriction', 'evil', 'mode', 'refuse', 'supposing', 'freedom'].map(
  concept,
);
const SEND = concept('send');
const LOOT = ['access', 'personal', 'link', 'password'].map(concept);

const present = new Uint8Array(256);

/** What kind of attack the words of a window speak of. */
function typeOf(first: number, last: number): ThreatType {
  present.fill(0);
  for (let word = 0; word < reading.words; word++) {
    const unit = reading.unit[word]!;
    if (unit < first) continue;
    if (unit > last) break;
    present[reading.concept[word]!] = 1;
  }
  const any = (concepts: readonly number[]) => concepts.some((number) => present[number] === 1);
  if (present[IGNORE] === 1 && any(ORDER)) return 'instruction_override';
  if (any(PLAY)) return 'jailbreak';
  if (any(SHOW) && any(GOODS)) return 'system_prompt_leak';
  if (present[SEND] === 1 && any(LOOT)) return 'data_exfiltration';
  return 'prompt_injection';
}
