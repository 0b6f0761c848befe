import type { Direction } from '../../contract/index.ts';
import type { TextSlot } from '../../text/index.ts';
import { type NormalizedText, originalRange } from '../normalize/normalize-text.ts';
import type { Passage } from '../passages/marked-passages.ts';
import type { LiveReach, NOT_IN_RESPONSES } from '../reach.ts';
import type { Text } from '../read/codes.ts';
import type { RuleHit } from '../rules/match-rules.ts';
import type { Ruleset } from '../ruleset.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import type { UserTask } from './user-task.ts';

/** One slot, as passed to every detector. */
export interface SlotView {
  readonly index: number;
  readonly slot: TextSlot;
  readonly cleaned: NormalizedText;
  /** The cleaned text with its codes. */
  readonly text: Text;
  readonly workspace: Workspace;
  readonly direction: Direction;
  readonly ruleset: Ruleset;
  /** The user's task for the data among the slots; null without a user or without data. */
  readonly task: UserTask | null;
  /** Passages that the developer or the user marked as a document; empty for texts of others. */
  readonly passages: readonly Passage[];
  /** Offset of `cleaned` in the cleaned text of the slot; not 0 if a passage of it is examined. */
  readonly base: number;
  /** Log-odds that the model's score for an attack must exceed beyond the usual threshold. */
  readonly penalty: number;
}

/** Adds its findings. Pure; linear in the text; never throws. */
export type Detector = (view: SlotView, findings: Finding[]) => void;

/** A row of the engine's lists. */
export interface DetectorRow {
  readonly detect: Detector;
  /** For the model's words in a response; of rules for responses and of sensitive values in their own rows. */
  readonly reach: readonly LiveReach[] | typeof NOT_IN_RESPONSES;
}

/** Adds matches of rules as findings; `share` scales a rule's confidence by where the match is. */
export function pushMatches(
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

/** Converts offsets in the cleaned text to a finding's position in the original. */
export function place(
  view: SlotView,
  start: number,
  end: number,
): { slot: number; start: number; end: number } {
  return { slot: view.index, ...originalRange(view.cleaned, view.base + start, view.base + end) };
}
