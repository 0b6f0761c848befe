import type { GuardMessage, GuardRequest, GuardResponse } from '../contract/index.ts';
import { parseJson, type Replacement, type SlotRole, type TextSlot } from '../text/index.ts';
import { step } from './reading/path.ts';
import { readContent, readItem } from './reading/read-blocks.ts';
import { refuseOverflow } from './reading/read-body.ts';
import { isMembers, type Members, Reading, readLeaves, type Source } from './reading/reading.ts';
import { roleOfMessage } from './reading/roles.ts';
import { RULES_OF_GUARD, WORDS } from './registry.ts';
import type { BodyReading } from './wire-format.ts';
import { replacementsByPath, writeTexts } from './writing/write-texts.ts';

export type GuardReading = Pick<BodyReading, 'messages' | 'slots' | 'unscanned' | 'files'>;

/**
 * Reads a validated guard request: messages with all their members, context.tool_calls, retrieved_context and media.
 * Throws BodyError `too_many_texts` only.
 */
export function readGuardRequest(request: GuardRequest, source: Source = () => ''): GuardReading {
  const reading = new Reading(RULES_OF_GUARD, true);
  reading.from(source);
  for (const [i, message] of request.messages.entries()) {
    reading.index = i;
    const { tool_calls: calls, ...rest } = message;
    readMessage(reading, rest, `/messages/${i}`);
    for (const [j, call] of (calls ?? []).entries())
      readToolCall(reading, call as Members, `/messages/${i}/tool_calls/${j}`);
  }
  for (const [i, call] of (request.context?.tool_calls ?? []).entries()) {
    reading.index = i;
    const path = `/context/tool_calls/${i}`;
    reading.open('tool_calls', 'tool_call', path, null);
    readToolCall(reading, call as Members, path);
  }
  for (const [i, entry] of (request.retrieved_context ?? []).entries()) {
    reading.index = i;
    const path = `/retrieved_context/${i}`;
    reading.open('retrieved_context', 'document', path, null);
    reading.text(`${path}/content`, 'document', entry.content);
    if (entry.source !== undefined) reading.text(`${path}/source`, 'other', entry.source);
    readLeaves(reading, entry.metadata, `${path}/metadata`, 'document');
  }
  for (const [i, media] of (request.media ?? []).entries()) {
    reading.index = i;
    reading.open('media', 'document', `/media/${i}`, null);
    readContent(reading, media, `/media/${i}`, 'document');
  }
  refuseOverflow(reading);
  return {
    messages: reading.messages(),
    slots: reading.slots,
    unscanned: reading.unscanned,
    files: reading.files,
  };
}

/** A device asks about the description of a tool in a developer's message of its own type. */
function readMessage(reading: Reading, message: Members, path: string): void {
  const { type, content, ...rest } = message;
  if (message['role'] === 'system' && type === 'tool_definition') {
    readItem(reading, rest, path, 'user', false, true);
    readContent(reading, content, `${path}/content`, 'tool_definition');
  } else readItem(reading, message, path, 'user', false, true);
}

/** Whatever type it says: it is a call where it stands. */
function readToolCall(reading: Reading, call: Members, path: string): void {
  if (!isToolCall(call)) {
    reading.skip(
      'unsupported_tool_call',
      path,
      'not one of the three known spellings; read as plain texts.',
      'none',
    );
  }
  for (const name in call) {
    const inner = step(path, name);
    if (!WORDS.names.has(name)) reading.name(inner, 'tool_call', name);
    readLeaves(reading, call[name], inner, RULES_OF_GUARD.identifiers.has(name) ? 'identifier' : 'tool_call');
  }
}

/** A message without content says what it has to say in calls. */
export function hasCalls(message: GuardMessage): boolean {
  return (message.tool_calls ?? []).length > 0 || isMembers((message as Members)['function_call']);
}

/** `{function: {name, arguments}}`, `{type: "tool_use", name, input}`, `{name, args}`. */
function isToolCall(call: Members): boolean {
  const inner = call['function'];
  if (typeof inner === 'object' && inner !== null) return typeof (inner as Members)['name'] === 'string';
  return typeof call['name'] === 'string' && ('input' in call || 'args' in call || 'arguments' in call);
}

/**
 * One entry for every message sent, in order, with all its members; block arrays flattened to one string, their texts
 * a line apart, and no content to an empty one.
 * `slots` are those of readGuardRequest, `replacements` those of the verdict on them (by slot index).
 */
export function redactedMessages(
  request: GuardRequest,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): RedactedMessage[] {
  const byPath = replacementsByPath(slots, replacements);
  const source = JSON.stringify(request.messages);
  const inMessages = new Map<string, readonly Replacement[]>();
  for (const [path, list] of byPath) {
    if (path.startsWith('/messages/')) inMessages.set(path.slice('/messages'.length), list);
  }
  const written = parseJson(writeTexts(source, inMessages)) as GuardRequest['messages'];
  return written.map((message) => ({ ...message, content: flattened(message) }));
}

type RedactedMessage = NonNullable<GuardResponse['redacted_messages']>[number];

function flattened(message: GuardMessage): string {
  if (typeof message.content === 'string') return message.content;
  return textsOf(message.content, roleOfMessage(RULES_OF_GUARD, message.role, true)).join('\n');
}

/** What is nobody's words. */
const ASIDE: ReadonlySet<SlotRole> = new Set(['other', 'identifier', 'metadata']);

function textsOf(content: unknown, role: SlotRole): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap((block) => textsOf(block, role));
  if (!isMembers(content)) return [];
  if (typeof content['text'] === 'string') return [content['text']];
  if ('content' in content) return textsOf(content['content'], role);
  const reading = new Reading(RULES_OF_GUARD);
  readContent(reading, content, '', role);
  const isValue = (slot: TextSlot): boolean => slot.isKey !== true && !/^#|~json/.test(slot.path);
  return reading.slots.filter((slot) => isValue(slot) && !ASIDE.has(slot.role)).map((slot) => slot.text);
}
