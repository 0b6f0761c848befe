import type { TextSlot } from '../../text/index.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { type AttackEvaluation, readAttacks } from './attacks.ts';
import { GUARDED_RULE } from './guarded-questions.ts';
import { detectManyShots } from './many-shots.ts';
import { isData } from './slot-roles.ts';

const MAX_SLOTS = 24;
const MAX_SLOT = 400;
/** The most pieces of data that are read together: each piece is read again with every further one. */
const MAX_PIECES = 4;

/**
 * Detects attacks that no single message reveals: an instruction split into pieces, an invented history of compliance,
 * several suspicious messages.
 */
export function detectConversation(
  slots: readonly TextSlot[],
  workspace: Workspace,
  findings: Finding[],
): void {
  if (slots.length > 1) {
    detectSplitRequest(slots, workspace, findings);
    detectSplitData(slots, workspace, findings);
    detectRise(slots, findings);
  }
  detectManyShots(slots, workspace, findings);
}

/**
 * Detects an instruction split over messages or fields: reads the last short texts of the user as one. Skipped if one
 * of them is already a finding.
 */
function detectSplitRequest(slots: readonly TextSlot[], workspace: Workspace, findings: Finding[]): void {
  const known = foundOut(findings);
  let group: number[] = [];
  const short: number[] = [];
  for (let i = Math.max(0, slots.length - MAX_SLOTS); i < slots.length; i++) {
    const slot = slots[i]!;
    if (slot.isNumber === true || slot.role !== 'user') continue;
    if (slot.text.length < 2 || slot.text.length > MAX_SLOT) {
      group = [];
      continue;
    }
    group.push(i);
    short.push(i);
    if (!ENDED.test(slot.text)) continue;
    judgeGroup(slots, group, workspace, known, findings);
    group = [];
  }
  judgeGroup(slots, group, workspace, known, findings);
  const last = slots[short[short.length - 1] ?? -1];
  if (last !== undefined && JOINS.test(last.text)) judgeGroup(slots, short, workspace, known, findings);
}

/**
 * Does the same for data: reads every piece with those before it. It finds the piece that completes an instruction, by
 * it and the pieces before it alone, so that the same history gives the same result in each turn.
 */
function detectSplitData(slots: readonly TextSlot[], workspace: Workspace, findings: Finding[]): void {
  const known = foundOut(findings);
  let group: number[] = [];
  for (const [i, slot] of slots.entries()) {
    if (slot.isNumber === true || !isData(slot)) continue;
    // What is an attack by itself is no piece of another.
    if (slot.text.length < 2 || slot.text.length > MAX_SLOT || known.has(i)) {
      group = [];
      continue;
    }
    group.push(i);
    if (group.length > MAX_PIECES) group.shift();
    const found = completedOrder(slots, group, workspace);
    if (found !== undefined) findings.push(splitOrder(slots, i, true, found));
    if (ENDED.test(slot.text)) group = [];
  }
}

/** Returns the instruction that the last piece of a group completes, and that is none without it. */
function completedOrder(
  slots: readonly TextSlot[],
  group: readonly number[],
  workspace: Workspace,
): AttackEvaluation | undefined {
  const read = (pieces: readonly number[]) => readJoined(slots, pieces, true, workspace);
  if (group.length < 2 || read(group) === undefined) return undefined;
  for (let from = group.length - 2; from >= 0; from--) {
    const found = read(group.slice(from));
    if (found !== undefined && read(group.slice(from, -1)) === undefined) return found;
  }
  return undefined;
}

/** Returns the slots that are attacks by themselves. */
function foundOut(findings: readonly Finding[]): ReadonlySet<number> {
  return new Set(
    findings
      .filter(({ pii, confidence }) => pii === undefined && confidence >= ATTACK.splitSure)
      .map(({ slot }) => slot),
  );
}

/** The end of a sentence: the pieces before it have none. */
const ENDED = /[.!?。！？]\s*$/;
/** Words that ask to read earlier pieces as one. */
const JOINS =
  /\b(?:combine|concatenate|join|merge|append|put (?:them|it|these|the parts|the pieces) together|in order|in sequence|all parts|[a-z]\s?\+\s?[a-z])\b/i;

function judgeGroup(
  slots: readonly TextSlot[],
  group: readonly number[],
  workspace: Workspace,
  known: ReadonlySet<number>,
  findings: Finding[],
): void {
  if (group.length < 2 || group.some((slot) => known.has(slot))) return;
  const found = readJoined(slots, group, false, workspace);
  if (found !== undefined) findings.push(splitOrder(slots, group[group.length - 1]!, false, found));
}

/** Reads texts as one; undefined: no instruction. Words may be split, too. */
function readJoined(
  slots: readonly TextSlot[],
  group: readonly number[],
  asData: boolean,
  workspace: Workspace,
): AttackEvaluation | undefined {
  const texts = group.map((part) => slots[part]!.text);
  for (const whole of new Set([texts.join(' '), texts.join('')])) {
    // The structure of joined texts is no author's.
    const { evaluation } = workspace.withText(whole, (text) =>
      readAttacks(text, asData, workspace, { readsStructure: false }),
    );
    if (evaluation !== undefined && evaluation.confidence >= ATTACK.splitSure) return evaluation;
  }
  return undefined;
}

function splitOrder(
  slots: readonly TextSlot[],
  slot: number,
  isOfData: boolean,
  { type, confidence }: AttackEvaluation,
): Finding {
  return {
    slot,
    start: 0,
    end: slots[slot]!.text.length,
    type: isOfData ? 'indirect_prompt_injection' : type,
    rule: 'conversation.split-order',
    confidence: confidence * ATTACK.splitShare,
    reason: 'Together with earlier messages, it tells the model to act against its instructions.',
  };
}

const DOUBTS = 3;

/** Detects a step-by-step approach to an attack: several suspicious messages of the user, the last one among them. */
function detectRise(slots: readonly TextSlot[], findings: Finding[]): void {
  let last = slots.length - 1;
  while (last >= 0 && slots[last]!.role !== 'user') last--;
  const doubts = new Map<number, number>();
  for (const { slot, confidence, rule } of findings) {
    if (confidence < ATTACK.riseDoubt || slot <= last - MAX_SLOTS) continue;
    if (slots[slot]!.role !== 'user' || !(rule.startsWith('model.') || rule === GUARDED_RULE)) continue;
    doubts.set(slot, Math.max(confidence, doubts.get(slot) ?? 0));
  }
  if (doubts.size < DOUBTS || !doubts.has(last)) return;
  let harmless = 1;
  for (const confidence of doubts.values()) harmless *= 1 - confidence;
  findings.push({
    slot: last,
    start: 0,
    end: slots[last]!.text.length,
    type: 'jailbreak',
    rule: 'conversation.rise',
    confidence: Math.min(ATTACK.mostOfRise, 1 - harmless),
    reason: 'Is the last of several messages that lead the model away from its instructions.',
  });
}
