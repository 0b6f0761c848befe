import type { Direction } from '../contract/index.ts';
import type { TextSlot } from '../text/index.ts';
import type { Ruleset } from './ruleset.ts';
import type { Finding } from './types.ts';

const OVERRIDE = /\bignore\b.{0,20}\b(?:previous|prior|above|earlier)\b.{0,20}\binstructions?\b/i;

/** Reads every slot and says what is in them. Pure; linear in the text; never throws. */
export function scan(slots: readonly TextSlot[], _ruleset: Ruleset, _direction: Direction): Finding[] {
  const findings: Finding[] = [];
  for (const [index, slot] of slots.entries()) {
    if (slot.role === 'system' || slot.role === 'tool_definition') continue;
    const match = OVERRIDE.exec(slot.text);
    if (match === null) continue;
    findings.push({
      slot: index,
      start: match.index,
      end: match.index + match[0].length,
      type: 'instruction_override',
      rule: 'override.ignore',
      confidence: 0.9,
      reason: 'Asks the model to drop its instructions.',
    });
  }
  return findings;
}
