import type { Direction } from '../contract/index.ts';
import type { SlotRole, TextSlot } from '../text/index.ts';
import { clearNotes } from './clear-notes.ts';
import { ACTIVE_CONTENT } from './detectors/active-content.ts';
import { ATTACKS } from './detectors/attacks.ts';
import { UNSAFE_CALLS } from './detectors/calls.ts';
import { detectConversation } from './detectors/conversation.ts';
import { detectCustom } from './detectors/custom.ts';
import type { Detector, DetectorRow, SlotView } from './detectors/detector.ts';
import { EMBEDDED_INSTRUCTIONS } from './detectors/embedded-instructions.ts';
import { EXFILTRATION_URLS } from './detectors/exfiltration-urls.ts';
import { detectGuardedQuestions } from './detectors/guarded-questions.ts';
import { HIDDEN } from './detectors/hidden.ts';
import { PASSAGES } from './detectors/passages.ts';
import { mayInstruct } from './detectors/program-text.ts';
import { RECIPIENTS } from './detectors/recipients.ts';
import { detectRepeatedPrompt } from './detectors/repeated-prompt.ts';
import { RULE_FILES } from './detectors/rule-files.ts';
import { detectSensitive } from './detectors/sensitive.ts';
import { isDevelopers } from './detectors/slot-roles.ts';
import { TOOL_POISONING } from './detectors/tool-poisoning.ts';
import { createTaskReader, type UserTask } from './detectors/user-task.ts';
import { findInRest } from './find-in-rest.ts';
import { type NormalizedText, normalizeText, originalRange } from './normalize/normalize-text.ts';
import { markedPassages, type Passage } from './passages/marked-passages.ts';
import type { Ruleset } from './ruleset.ts';
import type { Finding } from './types.ts';
import { Workspace } from './workspace.ts';

/** Shorter than any key or number worth masking. */
const MIN_LENGTH = 6;
/** Shorter than any attack. */
const MIN_ATTACK_LENGTH = 8;

export const ATTACK_DETECTORS: readonly DetectorRow[] = [
  ATTACKS,
  HIDDEN,
  EMBEDDED_INSTRUCTIONS,
  RECIPIENTS,
  ACTIVE_CONTENT,
  UNSAFE_CALLS,
  EXFILTRATION_URLS,
];

/** In the developer's texts an instruction alone is not an attack. */
const DEVELOPER_DETECTORS: readonly DetectorRow[] = [HIDDEN, PASSAGES, TOOL_POISONING];

/** Users paste documents between their own words. */
const USER_DETECTORS: readonly DetectorRow[] = [...ATTACK_DETECTORS, PASSAGES, RULE_FILES];

function detectorsFor(slot: TextSlot): readonly DetectorRow[] {
  if (isDevelopers(slot)) return DEVELOPER_DETECTORS;
  return slot.role === 'user' ? USER_DETECTORS : ATTACK_DETECTORS;
}

/** A cache for one scan: the findings that are already known for its slots. */
export interface SlotMemory {
  /** Returns the findings of the slot alone, or undefined if it has to be read. */
  recall(index: number): readonly Finding[] | undefined;
  /** Stores the findings of a slot that had to be read. */
  keep(index: number, findings: readonly Finding[]): void;
}

export interface ScanOptions {
  /** For responses: what the developer told the model earlier; a response should not repeat these instructions. */
  readonly systemSlots?: readonly TextSlot[];
  /** Findings of earlier scans of the same slots. */
  readonly memory?: SlotMemory | undefined;
  /** The memory to read texts in. A caller that scans often passes the same one each time. */
  readonly workspace?: Workspace;
}

/** Reads every slot and returns its findings. Pure; linear in the text; never throws. */
export function scan(
  slots: readonly TextSlot[],
  ruleset: Ruleset,
  direction: Direction,
  { systemSlots = [], memory, workspace = new Workspace() }: ScanOptions = {},
): Finding[] {
  const findings: Finding[] = [];
  const tasks = createTaskReader(slots, direction, workspace);
  for (let index = 0; index < slots.length; index++) {
    const found = memory?.recall(index);
    if (found !== undefined) {
      for (const finding of found) findings.push({ ...finding, slot: index });
      continue;
    }
    const before = findings.length;
    scanSlot(index, slots[index]!, ruleset, direction, tasks(index), workspace, findings);
    memory?.keep(index, findings.slice(before));
  }
  if (direction === 'input') {
    detectGuardedQuestions(slots, workspace, findings);
    detectConversation(slots, workspace, findings);
  } else detectRepeatedPrompt([...systemSlots, ...slots], slots, workspace, findings);
  return ruleset.asksForRoles
    ? findings.map((finding) => ({ ...finding, role: slots[finding.slot]!.role }))
    : findings;
}

/**
 * Adds the findings of one slot alone. They depend on its text and role, on the ruleset, the direction and the user's
 * task.
 */
function scanSlot(
  index: number,
  slot: TextSlot,
  ruleset: Ruleset,
  direction: Direction,
  task: UserTask | null,
  workspace: Workspace,
  findings: Finding[],
): void {
  if (slot.text.length < MIN_LENGTH && (ruleset.custom === null || slot.text === '')) return;
  const before = findings.length;
  const slotAndRules = { index, slot, ruleset, direction, task, workspace };
  readSlot(slotAndRules, detect, findings);
  if (direction === 'output' || findings.length === before) return;
  const read = (text: string, role: SlotRole): Finding[] => {
    const found: Finding[] = [];
    readSlot({ ...slotAndRules, slot: { ...slot, role, text } }, detectInstructions, found);
    return found;
  };
  findings.push(...findInRest(slot, findings.slice(before), ruleset.input, (text) => read(text, slot.role)));
  if (slot.role === 'user') clearNotes(slot.text, findings, before, (text) => read(text, 'tool_result'));
}

/** In a user's text a document has lines of its own, or a tag or quotes that mark it within a line. */
const MARKED = /\n|<[a-z/]|"""|'''/i;

function mayQuote(slot: TextSlot): boolean {
  return isDevelopers(slot) || (slot.role === 'user' && MARKED.test(slot.text));
}

function readSlot(
  slotAndRules: Pick<SlotView, 'index' | 'slot' | 'ruleset' | 'direction' | 'task' | 'workspace'>,
  detector: Detector,
  findings: Finding[],
): void {
  const { slot, workspace } = slotAndRules;
  const cleaned = normalizeText(slot.text, workspace);
  workspace.withText(cleaned.text, (text) => {
    const passages = mayQuote(slot) ? markedPassages(cleaned.text) : [];
    const before = findings.length;
    detector({ ...slotAndRules, cleaned, text, passages, base: 0, penalty: 0 }, findings);
    if (slot.role === 'user') markPassages(findings, before, cleaned, passages);
  });
}

/** Sets on the findings from `first` on the marked passage that contains them. */
function markPassages(
  findings: Finding[],
  first: number,
  cleaned: NormalizedText,
  passages: readonly Passage[],
): void {
  const places = passages.map(({ start, end }) => originalRange(cleaned, start, end));
  for (let i = first; i < findings.length && places.length > 0; i++) {
    const finding = findings[i]!;
    const passage = places.find(({ start, end }) => start <= finding.start && finding.end <= end);
    if (passage !== undefined) findings[i] = { ...finding, passage };
  }
}

function detect(view: SlotView, findings: Finding[]): void {
  const { slot } = view;
  detectCustom(view, findings);
  if (slot.text.length < MIN_LENGTH) return;
  detectSensitive(view, findings);
  detectInstructions(view, findings);
}

function detectInstructions(view: SlotView, findings: Finding[]): void {
  const { slot } = view;
  if (slot.isNumber === true || slot.text.length < MIN_ATTACK_LENGTH || !mayInstruct(slot)) return;
  for (const { detect } of detectorsFor(slot)) detect(view, findings);
}
