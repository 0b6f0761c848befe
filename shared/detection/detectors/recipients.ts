import { ATTACK } from '../operating-points/attacks.ts';
import { NOT_IN_RESPONSES } from '../reach.ts';
import type { Text } from '../read/codes.ts';
import { type Detector, type DetectorRow, place } from './detector.ts';
import { isQuotedMention } from './quoted-mention.ts';
import { INSTRUCTION_FORMS, type InstructionForm } from './recipient-forms.ts';
import { isData } from './slot-roles.ts';

/** The maximum distance between an instruction and its value. UTF-16 units. */
const REACH = 200;
const MAX_VALUE = 120;
const SHORTEST = 3;
const BORDERS = asciiTable('\n\r|<>"`*({[;');
const STOPS = asciiTable('.!?:');
const WIDE_STOPS = new Set([...'。！？：'].map((mark) => mark.charCodeAt(0)));
/** Length of the word before a value and a quotation mark. UTF-16 units. */
const LINK_LENGTH = 24;
/** Bills also ask for a payment, but they state the reason and the due date. */
const BILL =
  /\b(?:invoice|within \d+ (?:days|weeks)|due (?:on|by|date)|payment reference|quoting|rechnung(?:snummer)?|facture|factura|fattura)\b/i;

interface RecipientHit {
  readonly form: InstructionForm;
  readonly start: number;
  readonly end: number;
  /** A factor of the confidence. */
  readonly share: number;
}

/** In data: an instruction to hand something to a recipient that the data itself names. */
const detectRecipients: Detector = (view, findings) => {
  if (view.direction === 'output' || !isData(view.slot)) return;
  for (const { form, start, end, share } of findRecipientOrders(view.text, view.task?.text)) {
    findings.push({
      ...place(view, start, end),
      type: 'indirect_prompt_injection',
      rule: `data.order-${form.kind}`,
      confidence: ATTACK.recipient * share,
      reason: form.reason,
    });
  }
};

export const RECIPIENTS = {
  detect: detectRecipients,
  reach: NOT_IN_RESPONSES,
} as const satisfies DetectorRow;

/** Returns the first instruction of each kind. `task`: what the user asked for. */
export function findRecipientOrders(read: Text, task = ''): readonly RecipientHit[] {
  const { string: text, codes } = read;
  const hits: RecipientHit[] = [];
  for (let i = 1; i < text.length; i++) {
    const kinds = FORMS_AT[codes[i]!];
    if (kinds === undefined) continue;
    const at = beginOfValue(codes, i);
    if (at <= 0) continue;
    const value = text.slice(at, at + MAX_VALUE);
    for (const form of kinds) {
      const length = form.value.exec(value)?.[0].length;
      if (length === undefined || hits.some((hit) => hit.form === form)) continue;
      const start = orderBefore(form, read, at);
      if (start === -1) continue;
      const end = at + length;
      hits.push({ form, start, end, share: shareOf(form, text, start, end, task) });
    }
  }
  return hits;
}

/** Forms by the ASCII codes of their marks. */
const FORMS_AT: readonly (readonly InstructionForm[] | undefined)[] = Array.from(
  { length: 128 },
  (_none, code) => {
    const character = String.fromCharCode(code);
    const forms = INSTRUCTION_FORMS.filter(({ marks }) => marks.includes(character));
    return forms.length === 0 ? undefined : forms;
  },
);

/** Returns the start of the value with the mark `codes[at]`; -1: none. */
function beginOfValue(codes: Uint16Array, at: number): number {
  return (BEGINNINGS[String.fromCharCode(codes[at]!)] ?? behindLetters)(codes, at);
}

type Beginning = (codes: Uint16Array, at: number) => number;

const BEGINNINGS: Readonly<Record<string, Beginning>> = {
  '@': (codes, at) => (isWord(codes[at + 1]!) ? beginOfLocalPart(codes, at) : -1),
  ':': (codes, at) => {
    if (codes[at + 1] !== 47 || codes[at + 2] !== 47) return -1;
    return at - ((codes[at - 1]! | 32) === 115 ? 'https'.length : 'http'.length);
  },
  x: (codes, at) => (codes[at - 1] === 48 && !isWord(codes[at - 2]!) ? at - 1 : -1),
  '#': (codes, at) => (isLetter(codes[at + 1]!) ? at : -1),
  '(': (codes, at) => (isDigit(codes[at + 1]!) && codes[at + 4] === 41 ? at : -1),
  '+': (codes, at) => (isDigit(codes[at + 1]!) ? at : -1),
};

/** A digit after two letters, as in the beginning of bank account numbers. */
const behindLetters: Beginning = (codes, at) =>
  isLetter(codes[at - 1]!) && isLetter(codes[at - 2]!) && !isWord(codes[at - 3]!) ? at - 2 : -1;

const MAX_LOCAL_PART = 64;

function beginOfLocalPart(codes: Uint16Array, at: number): number {
  let from = at;
  while (from > 0 && at - from < MAX_LOCAL_PART && isLocal(codes[from - 1]!)) from--;
  return from === at ? -1 : from;
}

/** True for letters, digits and `+-._`. */
function isLocal(code: number): boolean {
  return isWord(code) || code === 43 || code === 45 || code === 46 || code === 95;
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Returns the start of the instruction whose value is at `at`; -1: the sentence contains none. */
function orderBefore(
  { verb, object, link }: InstructionForm,
  { string: text, codes }: Text,
  at: number,
): number {
  if (link?.test(text.slice(Math.max(0, at - LINK_LENGTH), at)) === false) return -1;
  const from = beginOfSentence(codes, at);
  if (at - from <= SHORTEST) return -1;
  const before = text.slice(from, at);
  const found = verb.exec(before);
  if (found === null || object?.test(before) === false) return -1;
  return from + found.index;
}

/** Returns the start of the sentence that ends at `end`. */
function beginOfSentence(codes: Uint16Array, end: number): number {
  const least = Math.max(0, end - REACH);
  let at = end - SHORTEST;
  while (at > least && !isBorder(codes, at - 1)) at--;
  return Math.max(least, at);
}

/** True for the end of a sentence, a cell, a tag or a field; a mark within a word is none. */
function isBorder(codes: Uint16Array, at: number): boolean {
  const code = codes[at]!;
  return code < 128
    ? BORDERS[code] === 1 || (STOPS[code] === 1 && codes[at + 1]! <= 32)
    : WIDE_STOPS.has(code);
}

function asciiTable(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Returns the factor of the confidence, by the user's task and the surrounding text. */
function shareOf(
  { kind, asked }: InstructionForm,
  text: string,
  start: number,
  end: number,
  task: string,
): number {
  if (task !== '' && asked.test(task)) return ATTACK.recipientAskedShare;
  if (kind === 'pay' && BILL.test(text.slice(Math.max(0, start - REACH), end + REACH)))
    return ATTACK.recipientAskedShare;
  return isQuotedMention(text, start, end) ? ATTACK.recipientAskedShare : 1;
}
