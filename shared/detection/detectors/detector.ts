import type { Direction } from '../../contract/index.ts';
import type { TextSlot } from '../../text/index.ts';
import { type CleanText, originalRange } from '../normalize/clean.ts';
import type { Passage } from '../passages/marked-passages.ts';
import type { Text } from '../read/codes.ts';
import type { RuleHit } from '../rules/match-rules.ts';
import type { Ruleset } from '../ruleset.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import type { UserTask } from './user-task.ts';

/** One slot as every detector gets it. */
export interface SlotView {
  readonly index: number;
  readonly slot: TextSlot;
  readonly cleaned: CleanText;
  /** The cleaned text with its codes. */
  readonly text: Text;
  readonly workspace: Workspace;
  readonly direction: Direction;
  readonly ruleset: Ruleset;
  /** What the user wants of the data among the slots; null where there is no user or no data. */
  readonly task: UserTask | null;
  /** What the developer or the user marked as a document; empty for texts of others. */
  readonly passages: readonly Passage[];
  /** Where `cleaned` begins in the cleaned text of the slot: not 0 where a passage of it is looked at. */
  readonly base: number;
  /** Log-odds by which the model has to be surer of an attack than elsewhere. */
  readonly penalty: number;
}

/** Adds what it finds. Pure; linear in the text; never throws. */
export type Detector = (view: SlotView, findings: Finding[]) => void;

/** Hits of rules as findings; `share` of a rule's confidence is what the place leaves of it. */
export function pushHits(
  view: SlotView,
  hits: readonly RuleHit[],
  findings: Finding[],
  share: (hit: RuleHit) => number,
): void {
  for (const hit of hits) {
    const { rule, start, end } = hit;
    findings.push({
      ...place(view, start, end),
      type: rule.type,
      rule: rule.id,
      confidence: rule.confidence * share(hit),
      reason: rule.reason,
    });
  }
}

/** Offsets of the cleaned text as a finding's place in the original. */
export function place(
  view: SlotView,
  start: number,
  end: number,
): { slot: number; start: number; end: number } {
  return { slot: view.index, ...originalRange(view.cleaned, view.base + start, view.base + end) };
}
