import { markedPassages, ruleFileRanges } from '../detection/index.ts';
import type { Conversation, Origin, SlotRole, Span, Steps, TextSlot } from '../text/index.ts';
import { dataSourceByText, dataSourceOf } from './data-sources.ts';
import type { SourceText, TaintedText } from './types.ts';

/** The origin of a text by its role; texts without an author have none. */
const ORIGINS: Readonly<Partial<Record<SlotRole, Origin>>> = {
  system: 'developer',
  tool_definition: 'developer',
  user: 'user',
  assistant: 'model',
  tool_call: 'model',
  tool_result: 'untrusted',
  document: 'untrusted',
};

/**
 * Returns the texts of a conversation with their origin. A marked passage in a text of the user or the developer is
 * untrusted data, and so is a rule file and a passage that gives instructions. `toolOf`: the tool that returned the text
 * at a path.
 */
export function* sourceTexts(
  conversation: Conversation,
  toolOf: (path: string) => string | null,
  tainted: readonly TaintedText[] = [],
): Steps<SourceText[]> {
  const texts: SourceText[] = [];
  const passagesOf = new Map(tainted.map(({ slot, passages }) => [slot, passages]));
  for (const { slots, position, role } of conversation.messages)
    for (const slot of slots) {
      if (position.index !== null && slot.role === 'user' && IS_DATA.test(role))
        texts.push(dataText(slot, position.path));
      else texts.push(...textsOfSlot(slot, position.path, toolOf, passagesOf.get(slot) ?? []));
      yield;
    }
  return texts;
}

/** Roles of clients' own for what a tool returned. */
const IS_DATA =
  /^(?:observations?|tools?|tool[_-]?(?:results?|outputs?|responses?)|functions?|function[_-]?(?:results?|outputs?|responses?)|results?|outputs?|environment|ipython|documents?|context|retrieval|retrieved|search[_-]?results?|data|web|browser)$/i;

const dataText = ({ path, text }: TextSlot, message: string): SourceText => ({
  ...{ text, origin: 'untrusted', path, message, tool: null },
  dataSource: dataSourceByText(text),
});

function textsOfSlot(
  slot: TextSlot,
  message: string,
  toolOf: (path: string) => string | null,
  tainted: readonly Span[],
): SourceText[] {
  const origin = ORIGINS[slot.role];
  if (origin === undefined || slot.isKey === true) return [];
  const place = { path: slot.path, message, tool: null, dataSource: null };
  if (origin === 'untrusted') return [{ ...place, ...untrusted(slot, toolOf(slot.path)) }];
  const isMarkable = slot.role === 'user' || slot.role === 'system';
  if (!isMarkable && tainted.length === 0) return [{ ...place, origin, text: slot.text }];
  const { own, marked } = apart(slot.text, isMarkable, tainted);
  return [
    { ...place, origin, text: own },
    ...marked.map((text): SourceText => ({ ...place, origin: 'untrusted', text, dataSource: 'document' })),
  ];
}

function untrusted(
  { role, text }: TextSlot,
  tool: string | null,
): Pick<SourceText, 'origin' | 'text' | 'tool' | 'dataSource'> {
  const byText = role === 'document' ? 'document' : dataSourceByText(text);
  return { origin: 'untrusted', text, tool, dataSource: tool === null ? byText : dataSourceOf(tool) };
}

/** Separates the author's own words from marked passages of others. */
function apart(
  text: string,
  isMarkable: boolean,
  tainted: readonly Span[],
): { readonly own: string; readonly marked: readonly string[] } {
  let own = '';
  let at = 0;
  const marked: string[] = [];
  const markers = isMarkable ? [...markedPassages(text), ...ruleFileRanges(text)] : [];
  const passages = [...markers, ...tainted].sort((a, b) => a.start - b.start);
  for (const { start, end } of passages) {
    if (end <= at) continue;
    own += `${text.slice(at, Math.max(at, start))}\n`;
    marked.push(text.slice(start, end));
    at = end;
  }
  own += text.slice(at);
  return { own, marked };
}
