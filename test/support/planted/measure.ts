import { attributeFindings, compileRuleset, mergeWithheld, scan } from '../../../shared/detection/index.ts';
import type { Span, TextSlot } from '../../../shared/text/index.ts';
import type { Planted } from './plant.ts';

const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });

/** Returns the passages that are withheld from a tool result. */
function withheldIn(text: string): Span[] {
  const slot: TextSlot = { path: '/messages/0/content', role: 'tool_result', text };
  const message = { origin: 'data', position: { list: 'messages', index: 0 }, slots: [slot] };
  const conversation = { slots: [slot], messages: [message] } as never;
  const found = scan([slot], ruleset, 'input').filter(
    ({ pii, confidence, type }) => pii === undefined && confidence >= ruleset.input.thresholds.get(type)!,
  );
  return mergeWithheld(
    attributeFindings(found, conversation, { direction: 'input' }).flatMap(({ withheld }) => withheld ?? []),
  );
}

/** What became of a planted order. */
export interface Outcome {
  readonly isFound: boolean;
  /** The share of the order's words that went on. */
  readonly forwarded: number;
  /** Characters outside of the unit that were withheld. */
  readonly lost: number;
}

export function outcomeOf({ text, words, unit }: Planted): Outcome {
  const withheld = withheldIn(text);
  const gone = words.filter((word) =>
    withheld.some(({ start, end }) => word.start >= start && word.end <= end),
  );
  const lost = withheld.reduce(
    (sum, { start, end }) =>
      sum + Math.max(0, unit.start - start) + Math.max(0, end - Math.max(unit.end, start)),
    0,
  );
  return { isFound: withheld.length > 0, forwarded: 1 - gone.length / words.length, lost };
}
