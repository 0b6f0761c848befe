import type { Direction } from '../../contract/index.ts';
import type { TextSlot } from '../../text/index.ts';
import { type CleanText, originalRange } from '../normalize/clean.ts';
import type { Ruleset } from '../ruleset.ts';
import type { Finding } from '../types.ts';

/** One slot as every detector gets it. */
export interface SlotView {
  readonly index: number;
  readonly slot: TextSlot;
  readonly cleaned: CleanText;
  readonly direction: Direction;
  readonly ruleset: Ruleset;
}

/** Adds what it finds. Pure; linear in the text; never throws. */
export type Detector = (view: SlotView, findings: Finding[]) => void;

/** Data the model is only meant to read. */
export function isData(slot: TextSlot): boolean {
  return slot.role === 'tool_result' || slot.role === 'document';
}

/** What the developer wrote is no attack on the developer. */
export function isDevelopers(slot: TextSlot): boolean {
  return slot.role === 'system' || slot.role === 'tool_definition';
}

/** Offsets of the cleaned text as a finding's place in the original. */
export function place(
  view: SlotView,
  start: number,
  end: number,
): { slot: number; start: number; end: number } {
  return { slot: view.index, ...originalRange(view.cleaned, start, end) };
}
