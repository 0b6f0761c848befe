import type { Direction } from '../contract/index.ts';
import { type Conversation, done, finish, type Span, type Steps, type TextSlot } from '../text/index.ts';
import { isLearned } from './clear-notes.ts';
import { GUARDED_RULE } from './detectors/guarded-questions.ts';
import { isJsonText } from './json-text.ts';
import { DECISION } from './operating-points/decisions.ts';
import { isLikelyLabel } from './passages/label-words.ts';
import { fenceIn, isRule, labelOf } from './passages/line-shapes.ts';
import { markedPassages } from './passages/marked-passages.ts';
import { clientRanges, isAllClients, isWithin } from './passages/rule-files.ts';
import type { Finding } from './types.ts';
import { OrderReader } from './units/order-reader.ts';
import { untrustedScope, withheldRanges } from './withheld-ranges.ts';

export interface AttributeOptions {
  readonly direction: Direction;
  /** True: attacks in tool calls are only reported. A proxy evaluated the call when the model made it. */
  readonly reportsToolCalls?: boolean;
  /** True for a tool result with code, in which personal data is common, and for a user's text of a coding agent. */
  readonly isCode?: (slot: TextSlot) => Steps<boolean>;
  /** True: personal data that is only reported in this text. */
  readonly isReported?: (finding: Finding, slot: TextSlot) => Steps<boolean>;
}

/**
 * Attributes each attack to the author of its text. An attack in untrusted data gets the ranges that are removed if it
 * is withheld. An attack in earlier output of the model is only reported, except in a prefill, which the model
 * continues. Personal data, secrets and matches of a policy's own patterns stay unchanged.
 */
export function attributeFindings(...args: Parameters<typeof attributeFindingsInSteps>): readonly Finding[] {
  return finish(attributeFindingsInSteps(...args));
}

/** Does the same in steps. */
export function* attributeFindingsInSteps(
  findings: readonly Finding[],
  conversation: Conversation,
  { direction, reportsToolCalls = false, isCode = () => done(false), isReported: isKept }: AttributeOptions,
): Steps<readonly Finding[]> {
  if (direction === 'output' || findings.length === 0) return findings;
  const { slots, messages } = conversation;
  const prefill = new Set(messages.findLast(({ position }) => position.index !== null)?.slots);
  const isPasted = pastedIn(conversation);
  const isInCodeSlot = rememberedSteps(isCode);
  const clientsOf = rememberedSteps(function* (slot: TextSlot) {
    return clientRanges(slot.text, yield* isInCodeSlot(slot));
  });
  const isClients = clientsTextsIn(conversation, function* (slot) {
    return isAllClients(slot.text, yield* clientsOf(slot));
  });
  const isJson = rememberedSteps((slot: TextSlot) => isJsonText(slot.text));
  const isReported = (slot: TextSlot): boolean =>
    slot.role === 'assistant' ? !prefill.has(slot) : slot.role === 'tool_call' && reportsToolCalls;
  // Most requests with findings have none in data, and it is large.
  let reader: OrderReader | undefined;
  const withhold = function* (
    finding: Finding,
    slot: TextSlot,
    scope: Span,
    isRules: boolean,
  ): Steps<Finding> {
    reader ??= new OrderReader();
    const options = { scope, isRules, isJson: !isRules && (yield* isJson(slot)), reader };
    return { ...finding, withheld: yield* withheldRanges(slot.text, finding, options) };
  };
  const attributed: Finding[] = [];
  for (const finding of findings) {
    const one = yield* attribute(finding);
    if (one !== undefined) attributed.push(one);
    yield;
  }
  return attributed;

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case per kind of author, in order of precedence
  function* attribute(finding: Finding): Steps<Finding | undefined> {
    const slot = slots[finding.slot]!;
    if (!isAttack(finding)) {
      if (isKept !== undefined && (yield* isKept(finding, slot))) return { ...finding, reportOnly: true };
      const isInCode =
        finding.pii !== undefined && slot.role === 'tool_result' && (yield* isInCodeSlot(slot));
      return isInCode ? { ...finding, isInCode } : finding;
    }
    const isUsers = slot.role === 'user';
    const added = isUsers ? (yield* clientsOf(slot)).find((range) => isWithin(range, finding)) : undefined;
    if (added !== undefined) {
      // An instruction about the work is allowed here; forbidden ones have their own rules. A person can write a tag,
      // but not put it into a text of its own.
      const isNote = added.tagStart !== undefined;
      const isAllowed = isNote ? finding.isClearAsData === true : mayBeWork(finding);
      const isWork = isAllowed || finding.rule === GUARDED_RULE;
      if (isWork && (yield* isClients(finding))) return undefined;
      const start = Math.max(finding.start, added.start);
      return yield* withhold({ ...finding, start }, slot, added, true);
    }
    if (isUsers && finding.passage !== undefined && !isPasted(slot)) {
      // The whole text is the user's own words, which are not read as data.
      return finding.type === 'indirect_prompt_injection' ? undefined : finding;
    }
    const scope = untrustedScope(finding, slot);
    if (scope !== null) return yield* withhold(finding, slot, scope, false);
    return isReported(slot) ? { ...finding, reportOnly: true } : finding;
  }
}

function isAttack({ pii, policyId }: Finding): boolean {
  return pii === undefined && policyId === undefined;
}

/**
 * Returns a check whether a marked passage in a user's text is a document: words outside of marks, in the same turn,
 * ask about it.
 */
function pastedIn({ messages }: Conversation): (slot: TextSlot) => boolean {
  const turns = remembered(turnsOf);
  const asking = remembered((slot: TextSlot) => slot.role === 'user' && asks(slot.text));
  const asksIn = remembered((turn: readonly TextSlot[]) => turn.some(asking));
  return (slot) => asking(slot) || asksIn(turns(messages).get(slot) ?? []);
}

/**
 * Returns a check whether a finding is in a text of its own that `isAllClients` and that stands beside something else in
 * its turn: the user's words or a tool's result. So clients send what they add. Who writes a message in a chat fills one
 * text, and cannot send a second one beside it.
 */
function clientsTextsIn(
  { messages, slots }: Conversation,
  isAllClients: (slot: TextSlot) => Steps<boolean>,
): (finding: Finding) => Steps<boolean> {
  const turns = remembered(turnsOf);
  const byPath = remembered((all: readonly TextSlot[]) => new Map(all.map((slot) => [slot.path, slot])));
  const isAll = rememberedSteps(isAllClients);
  const hasOther = rememberedSteps(function* (turn: readonly TextSlot[]) {
    for (const slot of turn) {
      if (slot.parts !== undefined || slot.text.trim() === '') continue;
      if (slot.role === 'tool_result' || (slot.role === 'user' && !(yield* isAll(slot)))) return true;
    }
    return false;
  });
  return function* ({ slot: index, start, end }) {
    const slot = slots[index]!;
    const part = slot.parts?.find((one) => one.start <= start && end <= one.end);
    const own = slot.parts === undefined ? slot : part && byPath(slots).get(part.path);
    return own !== undefined && (yield* isAll(own)) && (yield* hasOther(turns(messages).get(own) ?? []));
  };
}

/** Returns the texts of the turn that a text belongs to: between two messages of the model. */
function turnsOf(messages: Conversation['messages']): ReadonlyMap<TextSlot, readonly TextSlot[]> {
  const turns = new Map<TextSlot, TextSlot[]>();
  let turn: TextSlot[] = [];
  for (const { origin, slots } of messages) {
    if (origin === 'model') turn = [];
    for (const slot of slots) {
      turn.push(slot);
      turns.set(slot, turn);
    }
    if (origin === 'model') turn = [];
  }
  return turns;
}

/**
 * True for findings of the learned models only, unless they are a jailbreak or a certain override of the instructions.
 */
function mayBeWork(finding: Finding): boolean {
  const { type, confidence } = finding;
  if (!isLearned(finding) || type === 'jailbreak') return false;
  return type !== 'instruction_override' || confidence < DECISION.certainOverride;
}

/** Caches the results of a function by key. */
function remembered<T, V>(work: (key: T) => V): (key: T) => V {
  const known = new Map<T, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = work(key);
    known.set(key, value);
    return value;
  };
}

function rememberedSteps<T, V>(work: (key: T) => Steps<V>): (key: T) => Steps<V> {
  const known = new Map<T, V>();
  return function* (key) {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = yield* work(key);
    known.set(key, value);
    return value;
  };
}

const TAGS = /<\/?[A-Za-z][^<>]{0,400}>/g;
/** Two words, or four letters of a script without spaces. */
const WORDS =
  /\p{L}{2}[^\p{L}]{1,20}\p{L}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4,}/u;

/** True if there are words outside of the marked passages and their marks. */
function asks(text: string): boolean {
  let outside = '';
  let at = 0;
  for (const { start, end } of markedPassages(text)) {
    outside += `${text.slice(at, start)}\n`;
    at = end;
  }
  return `${outside}${text.slice(at)}`.replace(TAGS, '\n').split('\n').some(isAsking);
}

function isAsking(line: string): boolean {
  return fenceIn(line) === undefined && !isRule(line) && !isLikelyLabel(labelOf(line)) && WORDS.test(line);
}
