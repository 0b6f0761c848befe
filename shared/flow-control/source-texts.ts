import { markedPassages, ruleFileRanges } from '../detection/index.ts';
import type { Conversation, Origin, SlotRole, Steps, TextSlot } from '../text/index.ts';
import { dataSourceByText, dataSourceOf } from './data-sources.ts';
import type { SourceText } from './types.ts';

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
 * untrusted data, and so is a rule file. `toolOf`: the tool that returned the text at a path.
 */
export function* sourceTexts(
  conversation: Conversation,
  toolOf: (path: string) => string | null,
): Steps<SourceText[]> {
  const texts: SourceText[] = [];
  for (const { slots, position } of conversation.messages)
    for (const slot of slots) {
      texts.push(...textsOfSlot(slot, position.path, toolOf));
      yield;
    }
  return texts;
}

function textsOfSlot(slot: TextSlot, message: string, toolOf: (path: string) => string | null): SourceText[] {
  const origin = ORIGINS[slot.role];
  if (origin === undefined || slot.isKey === true) return [];
  const place = { path: slot.path, message, tool: null, dataSource: null };
  if (origin === 'untrusted') return [{ ...place, ...untrusted(slot, toolOf(slot.path)) }];
  if (slot.role !== 'user' && slot.role !== 'system') return [{ ...place, origin, text: slot.text }];
  const { own, marked } = apart(slot.text);
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
function apart(text: string): { readonly own: string; readonly marked: readonly string[] } {
  let own = '';
  let at = 0;
  const marked: string[] = [];
  const passages = [...markedPassages(text), ...ruleFileRanges(text)].sort((a, b) => a.start - b.start);
  for (const { start, end } of passages) {
    if (end <= at) continue;
    own += `${text.slice(at, Math.max(at, start))}\n`;
    marked.push(text.slice(start, end));
    at = end;
  }
  own += text.slice(at);
  return { own, marked };
}
