import type { TextSlot } from '../../text/index.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { readAttacks } from './attacks.ts';
import { detectManyShots } from './many-shots.ts';
import { isData } from './slot-roles.ts';

const MAX_SLOTS = 24;
const MAX_SLOT = 400;
const SURE = 0.85;

/** What no single message gives away: an order cut in pieces, a made-up history of compliance, doubts that add up. */
export function detectConversation(
  slots: readonly TextSlot[],
  workspace: Workspace,
  findings: Finding[],
): void {
  if (slots.length > 1) {
    detectSplitOrder(slots, workspace, findings);
    detectRise(slots, findings);
  }
  detectManyShots(slots, workspace, findings);
}

/**
 * An order cut into pieces over messages or fields: the last short texts of the user, and those of the data, read as
 * one. Only where no single one was found out already.
 */
function detectSplitOrder(slots: readonly TextSlot[], workspace: Workspace, findings: Finding[]): void {
  const from = Math.max(0, slots.length - MAX_SLOTS);
  for (const asData of [false, true]) {
    let group: number[] = [];
    const short: number[] = [];
    for (let i = from; i < slots.length; i++) {
      const slot = slots[i]!;
      if (slot.isNumber === true || (asData ? !isData(slot) : slot.role !== 'user')) continue;
      if (slot.text.length < 2 || slot.text.length > MAX_SLOT) {
        group = [];
        continue;
      }
      group.push(i);
      short.push(i);
      if (!ENDED.test(slot.text)) continue;
      judgeGroup(slots, group, asData, workspace, findings);
      group = [];
    }
    judgeGroup(slots, group, asData, workspace, findings);
    const last = slots[short[short.length - 1] ?? -1];
    if (!asData && last !== undefined && JOINS.test(last.text))
      judgeGroup(slots, short, asData, workspace, findings);
  }
}

/** Pieces that do not end like a sentence, and the one that does. */
const ENDED = /[.!?。！？]\s*$/;
/** What asks for earlier pieces to be read as one. */
const JOINS =
  /\b(?:combine|concatenate|join|merge|append|put (?:them|it|these|the parts|the pieces) together|in order|in sequence|all parts|[a-z]\s?\+\s?[a-z])\b/i;

function judgeGroup(
  slots: readonly TextSlot[],
  group: readonly number[],
  asData: boolean,
  workspace: Workspace,
  findings: Finding[],
): void {
  if (group.length < 2) return;
  if (findings.some((one) => one.pii === undefined && one.confidence >= SURE && group.includes(one.slot)))
    return;
  const texts = group.map((part) => slots[part]!.text);
  // words may be cut too
  for (const whole of [texts.join(' '), texts.join('')]) {
    const { judgement } = workspace.withText(whole, (text) => readAttacks(text, asData, workspace));
    if (judgement === undefined || judgement.confidence < SURE) continue;
    const last = group[group.length - 1]!;
    findings.push({
      slot: last,
      start: 0,
      end: slots[last]!.text.length,
      type: asData ? 'indirect_prompt_injection' : judgement.type,
      rule: 'conversation.split-order',
      confidence: judgement.confidence * 0.95,
      reason: 'Together with earlier messages it gives the model an order against its instructions.',
    });
    return;
  }
}

const DOUBT = 0.3;
const DOUBTS = 3;
const MOST = 0.75;

/** Step by step towards an attack: several doubtful messages of the user, the last one among them. */
function detectRise(slots: readonly TextSlot[], findings: Finding[]): void {
  let last = slots.length - 1;
  while (last >= 0 && slots[last]!.role !== 'user') last--;
  const doubts = new Map<number, number>();
  for (const { slot, confidence, rule } of findings) {
    if (confidence < DOUBT || slot <= last - MAX_SLOTS) continue;
    if (slots[slot]!.role !== 'user' || !rule.startsWith('model.')) continue;
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
    confidence: Math.min(MOST, 1 - harmless),
    reason: 'The last of several messages that lead the model away from its instructions.',
  });
}
