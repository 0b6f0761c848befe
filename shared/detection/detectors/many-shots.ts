import type { TextSlot } from '../../text/index.ts';
import { CONCEPT_NAMES } from '../lexicon/tables.ts';
import { matchAt } from '../read/match-at.ts';
import type { Finding } from '../types.ts';
import type { Workspace } from '../workspace.ts';

/** Fewer turns are an example, not a pattern. */
const MIN_TURNS = 8;
/** The share of questions that must be about harm. */
const HARMFUL_SHARE = 0.6;
const MAX_TURN = 2000;
const CONFIDENCE = 0.8;
const HARM = CONCEPT_NAMES.indexOf('harm');
const REFUSE = CONCEPT_NAMES.indexOf('refuse');

/**
 * Detects an invented history in which the model answers one harmful question after another, so that it continues:
 * within one text of the user, or as the turns of the request itself.
 */
export function detectManyShots(slots: readonly TextSlot[], workspace: Workspace, findings: Finding[]): void {
  const asked: string[] = [];
  const answers: string[] = [];
  let last = -1;
  for (const [index, { role, text }] of slots.entries()) {
    if (role === 'assistant') answers.push(text);
    else if (role === 'user') {
      last = index;
      if (text.length <= MAX_TURN) asked.push(text);
      if (areHarmful(questionsIn(text), workspace)) findings.push(findingAt(index, text));
    }
  }
  if (answers.length < MIN_TURNS || asked.length < MIN_TURNS) return;
  const complied = answers.filter((text) => !speaksOf(text, REFUSE, workspace)).length;
  if (complied >= MIN_TURNS && areHarmful(asked, workspace))
    findings.push(findingAt(last, slots[last]!.text));
}

function findingAt(slot: number, text: string): Finding {
  return {
    slot,
    start: 0,
    end: text.length,
    type: 'jailbreak',
    rule: 'conversation.many-shots',
    confidence: CONFIDENCE,
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
  return harmful >= questions.length * HARMFUL_SHARE;
}

function speaksOf(text: string, meaning: number, workspace: Workspace): boolean {
  return workspace.withWords(text, MAX_TURN, ({ concept, words }) =>
    concept.subarray(0, words).includes(meaning),
  );
}
