import type { Direction } from '../contract/index.ts';
import type { Conversation, Span, TextSlot } from '../text/index.ts';
import { DECISION } from './operating-points/decisions.ts';
import { isLikelyLabel } from './passages/label-words.ts';
import { fenceIn, isRule, labelOf } from './passages/line-shapes.ts';
import { markedPassages } from './passages/marked-passages.ts';
import { ruleFileRanges } from './passages/rule-files.ts';
import type { Finding } from './types.ts';
import { isJsonText, untrustedScope, withheldRanges } from './withheld-ranges.ts';

export interface AttributeOptions {
  readonly direction: Direction;
  /** True: attacks in tool calls are only reported. A proxy evaluated the call when the model made it. */
  readonly reportsToolCalls?: boolean;
  /** True if a tool result is code, in which personal data is common. */
  readonly isCode?: (slot: TextSlot) => boolean;
}

/**
 * Attributes each attack to the author of its text. An attack in untrusted data gets the ranges that are removed if it
 * is withheld. An attack in earlier output of the model is only reported, except in a prefill, which the model
 * continues. Personal data, secrets and matches of a policy's own patterns stay unchanged.
 */
export function attributeFindings(
  findings: readonly Finding[],
  conversation: Conversation,
  { direction, reportsToolCalls = false, isCode = () => false }: AttributeOptions,
): readonly Finding[] {
  if (direction === 'output' || findings.length === 0) return findings;
  const { slots, messages } = conversation;
  const prefill = new Set(messages.findLast(({ position }) => position.index !== null)?.slots);
  const isPasted = pastedIn(conversation);
  const isInCodeSlot = remembered(isCode);
  const rulesOf = remembered((slot: TextSlot) => ruleFileRanges(slot.text));
  const isJson = remembered((slot: TextSlot) => isJsonText(slot.text));
  const isReported = (slot: TextSlot): boolean =>
    slot.role === 'assistant' ? !prefill.has(slot) : slot.role === 'tool_call' && reportsToolCalls;
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case per kind of author, in order of precedence
  return findings.flatMap((finding) => {
    const slot = slots[finding.slot]!;
    if (!isAttack(finding)) {
      const isInCode = finding.pii !== undefined && slot.role === 'tool_result' && isInCodeSlot(slot);
      return isInCode ? { ...finding, isInCode } : finding;
    }
    const isUsers = slot.role === 'user';
    const file = isUsers ? rulesOf(slot).find(isAround(finding)) : undefined;
    if (file !== undefined) {
      // An instruction about the work is allowed here; forbidden ones have their own rules. Text under a mere heading
      // may be the user's own.
      if (file.isEnclosed && mayBeWork(finding)) return [];
      return { ...finding, withheld: withheldRanges(slot.text, finding, file, false) };
    }
    if (isUsers && finding.passage !== undefined && !isPasted(slot)) {
      // The whole text is the user's own words, which are not read as data.
      return finding.type === 'indirect_prompt_injection' ? [] : finding;
    }
    const scope = untrustedScope(finding, slot);
    if (scope !== null)
      return { ...finding, withheld: withheldRanges(slot.text, finding, scope, isJson(slot)) };
    return isReported(slot) ? { ...finding, reportOnly: true } : finding;
  });
}

function isAttack({ pii, policyId }: Finding): boolean {
  return pii === undefined && policyId === undefined;
}

/**
 * Returns a check whether a marked passage in a user's text is a document: words outside of marks, in the same turn,
 * ask about it.
 */
function pastedIn({ messages }: Conversation): (slot: TextSlot) => boolean {
  const asking = remembered((slot: TextSlot) => slot.role === 'user' && asks(slot.text));
  return (slot) => {
    if (asking(slot)) return true;
    const at = messages.findIndex(({ slots }) => slots.includes(slot));
    const isModels = ({ origin }: { readonly origin: string }): boolean => origin === 'model';
    const from = messages.slice(0, Math.max(0, at)).findLastIndex(isModels) + 1;
    const next = messages.findIndex((message, index) => index > at && isModels(message));
    const turn = messages.slice(from, next === -1 ? messages.length : next);
    return turn.some(({ slots }) => slots.some((other) => other !== slot && asking(other)));
  };
}

function isAround({ start }: Span): (range: Span) => boolean {
  return (range) => range.start <= start && start < range.end;
}

/**
 * True for findings of the learned models only, unless they are a jailbreak or a certain override of the instructions.
 */
function mayBeWork({ rule, type, confidence }: Finding): boolean {
  if (rule !== 'model.user' && rule !== 'model.data') return false;
  return type !== 'jailbreak' && !(type === 'instruction_override' && confidence >= DECISION.certainOverride);
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
