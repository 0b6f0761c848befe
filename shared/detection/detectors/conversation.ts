import type { TextSlot } from '../../text/index.ts';
import type { Finding } from '../types.ts';
import { readAttacks } from './attacks.ts';

const MAX_SLOTS = 24;
const MAX_SLOT = 400;
const SURE = 0.85;

/**
 * An order cut into pieces over messages or fields: the last short texts of the user, read as one.
 * Only where no single one was found out already.
 */
export function detectSplitOrder(slots: readonly TextSlot[], findings: Finding[]): void {
  let group: number[] = [];
  for (let i = Math.max(0, slots.length - MAX_SLOTS); i < slots.length; i++) {
    const slot = slots[i]!;
    if (slot.role !== 'user' || slot.text.length < 2) continue;
    if (slot.text.length > MAX_SLOT) group = [];
    else group.push(i);
    if (ENDED.test(slot.text) || i === slots.length - 1) {
      if (group.length > 1) judgeGroup(slots, group, findings);
      group = [];
    }
  }
  if (group.length > 1) judgeGroup(slots, group, findings);
}

/** Pieces that do not end like a sentence, and the one that does. */
const ENDED = /[.!?。！？]\s*$/;

function judgeGroup(slots: readonly TextSlot[], group: readonly number[], findings: Finding[]): void {
  if (findings.some((one) => one.pii === undefined && one.confidence >= SURE && group.includes(one.slot)))
    return;
  const { judgement } = readAttacks(group.map((part) => slots[part]!.text).join(' '), false);
  if (judgement === undefined || judgement.confidence < SURE) return;
  const last = group[group.length - 1]!;
  findings.push({
    slot: last,
    start: 0,
    end: slots[last]!.text.length,
    type: judgement.type,
    rule: 'conversation.split-order',
    confidence: judgement.confidence * 0.95,
    reason: 'Together with earlier messages it gives the model an order against its instructions.',
  });
}
