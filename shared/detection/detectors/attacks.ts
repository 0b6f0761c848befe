import type { ThreatType } from '../../contract/index.ts';
import type { SlotRole } from '../../text/index.ts';
import { contextOf } from '../model/context.ts';
import { featuresOf } from '../model/features.ts';
import { ngramLogOdds, strongestWindow } from '../model/ngrams.ts';
import { bestWindow, lengthPenalty } from '../model/score.ts';
import {
  attackLogOdds,
  COMBINATIONS,
  confidenceOf,
  MODELS,
  maxLogOdds,
  type ReadingKind,
} from '../model/weights.ts';
import { type Decoded, DISGUISES, decodePieces, MAX_DECODE_DEPTH } from '../normalize/decode.ts';
import { type NormalizedText, normalizeText, originalRange } from '../normalize/normalize-text.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import { NOT_IN_RESPONSES } from '../reach.ts';
import type { Text } from '../read/codes.ts';
import { readText } from '../read/read-text.ts';
import { MAX_PIECE, type TokenizedText } from '../read/tokenized-text.ts';
import type { RuleHit } from '../rules/match-rules.ts';
import { MIN_CONFIDENCE } from '../ruleset.ts';
import { scoreStructure } from '../structure/score-structure.ts';
import { STRUCTURE_MODEL, structureLogOdds } from '../structure/weights.ts';
import type { ScoringTables, Workspace } from '../workspace.ts';
import { isOverride, typeOf } from './attack-type.ts';
import { aloneOf, isSuspect, isTransported } from './decoded-text.ts';
import { type Detector, type DetectorRow, place } from './detector.ts';
import { matchEmbedded } from './embedded-instructions.ts';
import { besideQuotations } from './quotations.ts';
import { isQuotedMention } from './quoted-mention.ts';
import { findRecipientOrders } from './recipients.ts';
import { isData } from './slot-roles.ts';
import { tryRules } from './suspect-units.ts';
import { reduceForTask, type UserTask } from './user-task.ts';

/** Overlap of the pieces of long texts, so that nothing hides at a boundary. */
const OVERLAP = 600;

export interface AttackEvaluation {
  /** The reading, or the code that the text was encoded in. */
  readonly kind: string;
  readonly confidence: number;
  readonly start: number;
  readonly end: number;
  readonly type: ThreatType;
}

/** The learned models' result for a text or a piece of it. */
interface ModelReading {
  readonly evaluation: AttackEvaluation | undefined;
  /**
   * The log-odds of the strongest piece, whatever its confidence; never saturates. An upper bound unless `isScored` is
   * set.
   */
  readonly logOdds: number;
  /** How far the first model is above its threshold in the stronger reading, before the n-grams. Log-odds. */
  readonly margin: number;
}

export interface AttackReading extends ModelReading {
  readonly hits: readonly RuleHit[];
}

const NOTHING: ModelReading = {
  evaluation: undefined,
  logOdds: Number.NEGATIVE_INFINITY,
  margin: Number.NEGATIVE_INFINITY,
};

/** The model's own output discusses attacks or commands more often than it contains one. Log-odds. */
const OFF_FOR_MODELS: Readonly<Partial<Record<SlotRole, number>>> = {
  assistant: ATTACK.offForAssistant,
  tool_call: ATTACK.offForCall,
};
/** The same for encoded text, as a factor of the confidence: numbers and names in calls often look like a code. */
const DECODED_SHARE: Readonly<Partial<Record<SlotRole, number>>> = {
  assistant: ATTACK.decodedShareOfAssistant,
  tool_call: ATTACK.decodedShareOfCall,
};

/**
 * Runs the learned model over a text as its author's instruction and, for data, also as data; runs rules on suspect
 * units.
 */
const detectAttacks: Detector = (view, findings) => {
  if (view.direction === 'output') return;
  const data = isData(view.slot);
  const { leastConfidence } = view.ruleset;
  const options: AttackOptions = {
    task: view.task,
    penalty: view.penalty,
    off: OFF_FOR_MODELS[view.slot.role] ?? 0,
    leastConfidence,
  };
  const whole = readAttacks(view.text, data, view.workspace, options);
  const { evaluation, hits } = data
    ? whole
    : besideQuotations(whole, view.text.string, (around) =>
        view.workspace.withText(around, (read) =>
          readAttacks(read, false, view.workspace, { ...options, isScored: true }),
        ),
      );
  const disguised = view.cleaned.hidden + view.cleaned.mixed > 2;
  const { text } = view.cleaned;
  for (const { rule, start, end } of hits) {
    findings.push({
      ...place(view, start, end),
      type: data ? 'indirect_prompt_injection' : rule.type,
      rule: rule.id,
      confidence: isQuotedMention(text, start, end) ? rule.confidence / 2 : worse(rule.confidence, disguised),
      reason: rule.reason,
    });
  }
  if (evaluation === undefined || evaluation.confidence < leastConfidence) return;
  findings.push({
    ...place(view, evaluation.start, evaluation.end),
    type: data ? 'indirect_prompt_injection' : evaluation.type,
    rule: `model.${evaluation.kind}`,
    confidence: evaluation.kind.startsWith('decoded-')
      ? evaluation.confidence * (DECODED_SHARE[view.slot.role] ?? 1)
      : evaluation.confidence,
    reason: data
      ? 'Contains an instruction to the model inside data.'
      : (REASONS[evaluation.type] ?? REASONS.prompt_injection),
  });
};

export const ATTACKS = { detect: detectAttacks, reach: NOT_IN_RESPONSES } as const satisfies DetectorRow;

const worse = (confidence: number, isDisguised: boolean): number =>
  isDisguised ? Math.min(ATTACK.mostDisguised, confidence + ATTACK.disguiseBonus) : confidence;

export interface AttackOptions {
  /** How many times the text was already decoded. */
  readonly depth?: number;
  /** The user's task for the data; null without a user or without data. */
  readonly task?: UserTask | null;
  /** Log-odds that the model's score must exceed beyond the usual threshold. */
  readonly penalty?: number;
  /** Log-odds subtracted from the sum of all models. */
  readonly off?: number;
  /** Reads a user's text even if none of its words has a meaning that attacks have. */
  readonly readsAll?: boolean;
  /** True if exact log-odds are required for every text; otherwise those of plainly harmless texts may be too high. */
  readonly isScored?: boolean;
  /** False for texts joined from several: their structure is no author's. */
  readonly readsStructure?: boolean;
  /** A reading below this confidence yields no evaluation. */
  readonly leastConfidence?: number;
}

/** Reads a text piece by piece. Returns the strongest evaluation, and each matching rule once. */
export function readAttacks(
  text: Text,
  asData: boolean,
  workspace: Workspace,
  options: AttackOptions = {},
): AttackReading {
  const { string } = text;
  const { depth = 0, readsAll = asData, readsStructure = asData } = options;
  const hits: RuleHit[] = [];
  let best = NOTHING;
  for (let from = 0; from < string.length; ) {
    const to = Math.min(string.length, from + MAX_PIECE);
    const decoded = workspace.withTables(to - from, (tables) => {
      const { reading } = tables;
      readText(text, from, to, reading, asData);
      if (readsAll || reading.concepts > 0) {
        const words = judgePiece(text, from, to, asData, tables, options, hits);
        best = stronger(best, words);
        if (readsStructure)
          best = stronger(best, judgeStructure(text, reading, words, string.length / (to - from), options));
      }
      return depth < MAX_DECODE_DEPTH ? decodePieces(string, from, to, reading, workspace) : [];
    });
    for (const piece of decoded)
      best = stronger(best, judgeDecoded(piece, string, asData, { ...options, depth }, workspace));
    if (to === string.length) break;
    from = to - OVERLAP;
  }
  return { ...best, hits };
}

function stronger(one: ModelReading, other: ModelReading): ModelReading {
  return {
    evaluation: surer(one.evaluation, other.evaluation),
    logOdds: Math.max(one.logOdds, other.logOdds),
    margin: Math.max(one.margin, other.margin),
  };
}

/** Returns the more confident of the two; of equals the first. */
function surer(
  one: AttackEvaluation | undefined,
  other: AttackEvaluation | undefined,
): AttackEvaluation | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.confidence > one.confidence ? other : one;
}

/** Scores `text[from, to)`, which `tables.reading` contains; adds the matching rules to `hits`. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for every piece of every text, on borrowed tables
function judgePiece(
  text: Text,
  from: number,
  to: number,
  asData: boolean,
  tables: ScoringTables,
  { task = null, penalty = 0, off = 0, leastConfidence = MIN_CONFIDENCE, isScored = false }: AttackOptions,
  hits: RuleHit[],
): ModelReading {
  const { string } = text;
  const { reading, features, context } = tables;
  featuresOf(reading, features, asData);
  const offset = asData ? contextOf(string, reading, features, context) : 0;
  if (asData && task !== null) reduceForTask(reading, task, context.scoreReduction);
  const share = string.length / (to - from);
  const sentences = Math.ceil(reading.sentences * share);
  let best: WindowReading | undefined;
  for (const kind of asData ? KINDS_DATA : KINDS_USER) {
    const further = asData && kind === 'user' ? ATTACK.secondReadingPenalty : -offset;
    const found = readAs(kind, tables, sentences, penalty, further);
    if (best === undefined || found.margin > best.margin) best = found;
    if (kind === 'user') tryRules(string, tables, MODELS[kind], hits);
  }
  if (best === undefined || reading.units === 0) return NOTHING;
  const combination = COMBINATIONS[asData ? 'data' : 'user'];
  const most = maxLogOdds(combination, best.margin) - off;
  if (!isScored && confidenceOf(most) < leastConfidence)
    return { evaluation: undefined, logOdds: most, margin: best.margin };
  const window = strongestWindow(text.codes, reading, combination.ngrams, tables.ngrams);
  const ngrams = window && ngramLogOdds(window.score, window.windows * share, combination);
  const sum = attackLogOdds(combination, best.margin, ngrams);
  const isSure = best.margin > ATTACK.overrideMargin && isOverride(reading, best.first, best.last);
  const logOdds = (isSure ? Math.max(sum, 0) + ATTACK.overrideBonus : sum) - off;
  const { kind, margin } = best;
  const likelihood = confidenceOf(logOdds);
  const confidence = asData ? likelihood : Math.min(ATTACK.mostOfUsers, likelihood);
  if (confidence < leastConfidence) return { evaluation: undefined, logOdds, margin };
  const type = typeOf(reading, best.first, best.last);
  // The more confident model determines the position.
  const { start, end } =
    window !== undefined && margin < 0 && ngrams! > 0
      ? window
      : { start: reading.unitStart[best.first]!, end: reading.unitEnd[best.last]! };
  return { evaluation: { kind, confidence, start, end, type }, logOdds, margin };
}

/** Reads the structure of data; words that the other models know from attacks support it. */
function judgeStructure(
  text: Text,
  reading: TokenizedText,
  { logOdds: others, margin }: ModelReading,
  share: number,
  { penalty = 0, off = 0, leastConfidence = MIN_CONFIDENCE }: AttackOptions,
): ModelReading {
  const found = scoreStructure(text, reading, STRUCTURE_MODEL, share);
  if (found === null) return NOTHING;
  const logOdds = structureLogOdds(STRUCTURE_MODEL, found.score, others) - penalty - off;
  const confidence = confidenceOf(logOdds);
  if (confidence < leastConfidence) return { evaluation: undefined, logOdds, margin };
  const evaluation = { ...found, kind: 'structure', confidence, type: 'prompt_injection' } as const;
  return { evaluation, logOdds, margin };
}

/** The strongest run of units in one reading, and how far its score is above the required score. */
interface WindowReading {
  readonly kind: ReadingKind;
  readonly margin: number;
  readonly first: number;
  readonly last: number;
}

function readAs(
  kind: ReadingKind,
  { reading, features, context, scores }: ScoringTables,
  sentences: number,
  penalty: number,
  further: number,
): WindowReading {
  const model = MODELS[kind];
  const reduction = kind === 'data' ? context.scoreReduction : undefined;
  const { first, last, score } = bestWindow(reading, features, model, scores, reduction);
  const least = penalty + lengthPenalty(sentences, model) + further;
  return { kind, margin: score - least - model.threshold, first, last };
}

/**
 * Evaluates decoded text. An encoded instruction is worse than the same one in plain text; whole encoded sentences are
 * suspicious in themselves.
 */
function judgeDecoded(
  decoded: Decoded,
  whole: string,
  asData: boolean,
  { depth = 0, off = 0, isScored = false, task = null, penalty = 0 }: AttackOptions,
  workspace: Workspace,
): ModelReading {
  const { kind } = decoded;
  const cleaned = normalizeText(decoded.text, workspace);
  const { text } = cleaned;
  const { evaluation, hits, orders, logOdds, margin } = workspace.withText(text, (read) => ({
    ...readAttacks(read, asData, workspace, { depth: depth + 1, isScored, task, penalty }),
    orders: asData ? ordersOfData(read, task) : [],
  }));
  const found: Order[] = hits.map((hit) => ({ ...hit, confidence: confidenceOfHit(hit, text) }));
  found.push(...orders, ...(evaluation === undefined ? [] : [evaluation]));
  const inside = Math.max(0, ...found.map((one) => one.confidence));
  const isOdd = DISGUISES.has(kind) && !isTransported(decoded, whole, asData);
  const alone = isOdd && isSuspect(decoded, text, whole, workspace) ? aloneOf(kind, margin, off > 0) : 0;
  const confidence = Math.max(
    alone,
    isOdd && inside > ATTACK.decodedLeast
      ? Math.min(ATTACK.mostDecoded, inside + ATTACK.decodedBonus)
      : inside,
  );
  const type = hits[0]?.rule.type ?? evaluation?.type ?? 'prompt_injection';
  if (confidence === 0) return { evaluation: undefined, logOdds, margin };
  return {
    evaluation: {
      kind: `decoded-${kind.replace(' ', '-')}`,
      confidence,
      ...placeOf(decoded, cleaned, found),
      type,
    },
    logOdds,
    margin,
  };
}

interface Order {
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
}

/** What the detectors of orders in data find, which read only what is not encoded. */
function ordersOfData(read: Text, task: UserTask | null): Order[] {
  return [
    ...matchEmbedded(read).map((hit) => ({ ...hit, confidence: hit.rule.confidence })),
    ...findRecipientOrders(read, task?.text).map((hit) => ({
      ...hit,
      confidence: ATTACK.recipient * hit.share,
    })),
  ];
}

const confidenceOfHit = ({ rule, start, end }: RuleHit, text: string): number =>
  isQuotedMention(text, start, end) ? rule.confidence / 2 : rule.confidence;

/** Returns the encoded text from the first of what was found on; without a map all of it. */
function placeOf(
  { start, end, map }: Decoded,
  cleaned: NormalizedText,
  found: readonly Order[],
): { readonly start: number; readonly end: number } {
  if (map === undefined || found.length === 0) return { start, end };
  const first = Math.min(...found.map((one) => one.start));
  return { start: start + map.originalAt(originalRange(cleaned, first, first).start), end };
}

const KINDS_USER: readonly ReadingKind[] = ['user'];
const KINDS_DATA: readonly ReadingKind[] = ['data', 'user'];

const REASONS = {
  instruction_override: 'Tells the model to ignore or replace its instructions.',
  system_prompt_leak: 'Asks for what the model was instructed to keep secret.',
  jailbreak: 'Asks the model to act as if it had no rules.',
  data_exfiltration: 'Asks for data to be sent somewhere.',
  prompt_injection: 'Appears to steer the model against its instructions.',
} as Readonly<Partial<Record<ThreatType, string>>> & { readonly prompt_injection: string };
