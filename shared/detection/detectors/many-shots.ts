import type { TextSlot } from '../../text/index.ts';
import { CONCEPT_NAMES } from '../lexicon/tables.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import { matchAt } from '../read/match-at.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';

/** Fewer turns are an example, not a pattern. */
const MIN_TURNS = 8;
const MAX_TURN = 2000;
const HARM = CONCEPT_NAMES.indexOf('harm');
const REFUSE = CONCEPT_NAMES.indexOf('refuse');

/**
 * Detects an invented history in which the model answers one harmful question after another, so that it continues:
 * within one text of the user, or as the turns of the request itself.
 */
export function detectManyShots(slots: readonly TextSlot[], workspace: Workspace, findings: Finding[]): void {
  for (const [index, { role, text }] of slots.entries()) {
    if (role === 'user' && areHarmful(questionsIn(text), workspace)) findings.push(findingAt(index, text));
  }
  const history = readHistory(slots, workspace);
  if (history !== null) findings.push(findingAt(history.last, slots[history.last]!.text));
}

/**
 * Returns the indexes of the turns that the texts sent anyway lack to be found as the same invented history; none if
 * the whole is none. Few and short, because devices send them: the rest of the history decides nothing.
 */
export function historyContext(
  slots: readonly TextSlot[],
  isSent: (index: number) => boolean,
  workspace: Workspace,
): readonly number[] {
  const history = readHistory(slots, workspace);
  if (history === null) return [];
  const { last, harmful, harmless, complied } = history;
  const isMissing = (index: number): boolean => index !== last && !isSent(index);
  const missing = harmful.filter(isMissing).reverse();
  const others = harmless.filter(isMissing).reverse();
  let harms = harmful.length - missing.length;
  let asked = harms + harmless.length - others.length;
  const chosen: number[] = [];
  for (const index of missing) {
    if (asked >= MIN_TURNS && harms >= asked * ATTACK.manyShotsShare) break;
    chosen.push(index);
    harms++;
    asked++;
  }
  // With all the harmful ones, harmless ones do not lower the share below that of the whole.
  chosen.push(...others.slice(0, Math.max(0, MIN_TURNS - asked)));
  const answers = complied.filter(isMissing);
  const wanted = Math.max(0, MIN_TURNS - (complied.length - answers.length));
  answers.sort((a, b) => slots[a]!.text.length - slots[b]!.text.length);
  return [...chosen, ...answers.slice(0, wanted), last];
}

/** Indexes of the turns of an invented history. */
interface History {
  /** The user's last text. */
  readonly last: number;
  readonly harmful: readonly number[];
  readonly harmless: readonly number[];
  /** Answers that do not refuse. */
  readonly complied: readonly number[];
}

function readHistory(slots: readonly TextSlot[], workspace: Workspace): History | null {
  const asked: number[] = [];
  const answers: number[] = [];
  let last = -1;
  for (const [index, { role, text }] of slots.entries()) {
    if (role === 'assistant') answers.push(index);
    if (role !== 'user') continue;
    last = index;
    if (text.length <= MAX_TURN) asked.push(index);
  }
  if (answers.length < MIN_TURNS || asked.length < MIN_TURNS) return null;
  // Before the answers, which are longer.
  const harmful = asked.filter((index) => speaksOf(slots[index]!.text, HARM, workspace));
  if (harmful.length < asked.length * ATTACK.manyShotsShare) return null;
  const complied = answers.filter((index) => !speaksOf(slots[index]!.text, REFUSE, workspace));
  if (complied.length < MIN_TURNS) return null;
  const harms = new Set(harmful);
  return { last, harmful, harmless: asked.filter((index) => !harms.has(index)), complied };
}

function findingAt(slot: number, text: string): Finding {
  return {
    slot,
    start: 0,
    end: text.length,
    type: 'jailbreak',
    rule: 'conversation.many-shots',
    confidence: ATTACK.manyShots,
    reason: 'Shows the model a long history of giving harmful answers.',
  };
}

const TURN = /[ \t>*#-]{0,8}(user|human|q|question|me|assistant|ai|bot|a|answer)\b[ \t*\d]{0,4}:/iy;
const ASKS = /^(?:user|human|q|question|me)$/i;

/** Returns the questions in a written dialogue. */
function questionsIn(text: string): string[] {
  const turns: { readonly asks: boolean; readonly at: number; readonly begins: number }[] = [];
  // Line by line, because a search of the whole text would examine every character.
  for (let at = 0; ; ) {
    const turn = matchAt(TURN, text, at);
    const begins = turn === null ? at : at + turn[0].length;
    if (turn !== null) turns.push({ asks: ASKS.test(turn[1]!), at: Math.max(0, at - 1), begins });
    at = text.indexOf('\n', begins) + 1;
    if (at === 0) break;
  }
  if (turns.length < MIN_TURNS * 2) return [];
  return turns
    .map(({ asks, begins }, i) => ({ asks, question: text.slice(begins, turns[i + 1]?.at ?? text.length) }))
    .filter(({ asks, question }) => asks && question.length <= MAX_TURN)
    .map(({ question }) => question);
}

function areHarmful(questions: readonly string[], workspace: Workspace): boolean {
  if (questions.length < MIN_TURNS) return false;
  let harmful = 0;
  for (const question of questions) if (speaksOf(question, HARM, workspace)) harmful++;
  return harmful >= questions.length * ATTACK.manyShotsShare;
}

function speaksOf(text: string, meaning: number, workspace: Workspace): boolean {
  return workspace.withWords(text, MAX_TURN, ({ concept, words }) =>
    concept.subarray(0, words).includes(meaning),
  );
}
