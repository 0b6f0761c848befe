import type { DeviceReading, GuardMessage, GuardRequest, GuardResponse } from '../contract/index.ts';
import {
  finish,
  mapping,
  parseJson,
  pausing,
  type Replacement,
  type SlotRole,
  type Steps,
  type TextSlot,
} from '../text/index.ts';
import { conversationFrom, writtenTexts } from './device-reading.ts';
import { childPointer } from './reading/path.ts';
import { readContent, readItem } from './reading/read-blocks.ts';
import { rejectOverflow } from './reading/read-body.ts';
import { roleOfMessage } from './reading/roles.ts';
import { isJsonObject, type JsonObject, readLeaves, TextCollector } from './reading/text-collector.ts';
import { GUARD_RULES, WORDS } from './registry.ts';
import type { ExtractedBody, Source } from './wire-format.ts';
import { replacementsByPathInSteps, writeTextsInSteps } from './writing/write-texts.ts';

export type ExtractedGuardRequest = Pick<
  ExtractedBody,
  'messages' | 'slots' | 'unscanned' | 'files' | 'signed'
>;

/**
 * Reads a validated guard request: messages with all their members, context.tool_calls, retrieved_context and media.
 * `device`: what a device has read of the body that the messages are from. Throws BodyError `too_many_texts` only.
 */
export function readGuardRequest(...args: Parameters<typeof readGuardRequestInSteps>): ExtractedGuardRequest {
  return finish(readGuardRequestInSteps(...args));
}

/** Does the same in steps. */
export function* readGuardRequestInSteps(
  request: GuardRequest,
  source: Source = () => '',
  device?: DeviceReading,
): Steps<ExtractedGuardRequest> {
  const collector = new TextCollector(GUARD_RULES, true);
  collector.from(source);
  collector.isAnswer = request.direction === 'output';
  const read = device === undefined ? null : conversationFrom(device, request.messages);
  if (read === null) yield* readMessages(collector, request.messages);
  for (const [i, call] of (request.context?.tool_calls ?? []).entries()) {
    collector.index = i;
    const path = `/context/tool_calls/${i}`;
    collector.open('tool_calls', 'tool_call', path, null);
    yield* readToolCall(collector, call as JsonObject, path);
  }
  for (const [i, entry] of (request.retrieved_context ?? []).entries()) {
    collector.index = i;
    const path = `/retrieved_context/${i}`;
    collector.open('retrieved_context', 'document', path, null);
    yield* collector.text(`${path}/content`, 'document', entry.content);
    if (entry.source !== undefined) yield* collector.text(`${path}/source`, 'other', entry.source);
    yield* readLeaves(collector, entry.metadata, `${path}/metadata`, 'document');
  }
  for (const [i, media] of (request.media ?? []).entries()) {
    collector.index = i;
    collector.open('media', 'document', `/media/${i}`, null);
    yield* readContent(collector, media, `/media/${i}`, 'document');
  }
  rejectOverflow(collector);
  const own = collector.conversation('user');
  return {
    messages: read === null ? own.messages : [...read.messages, ...own.messages],
    slots: read === null ? own.slots : [...read.slots, ...own.slots],
    unscanned: collector.unscanned,
    files: collector.files,
    signed: collector.isAnswer ? [] : collector.signed,
  };
}

function* readMessages(collector: TextCollector, messages: GuardRequest['messages']): Steps<void> {
  for (const [i, message] of messages.entries()) {
    collector.index = i;
    const { tool_calls: calls, ...rest } = message;
    yield* readMessage(collector, rest, `/messages/${i}`);
    for (const [j, call] of (calls ?? []).entries())
      yield* readToolCall(collector, call as JsonObject, `/messages/${i}/tool_calls/${j}`);
  }
}

/** A device sends a tool's description as a developer's message with a type of its own. */
function* readMessage(collector: TextCollector, message: JsonObject, path: string): Steps<void> {
  const { type, content, ...rest } = message;
  if (message['role'] === 'system' && type === 'tool_definition') {
    yield* readItem(collector, rest, path, 'user', false, true);
    yield* readContent(collector, content, `${path}/content`, 'tool_definition');
  } else yield* readItem(collector, message, path, 'user', false, true);
}

/** The position makes it a call, whatever its type. */
function* readToolCall(collector: TextCollector, call: JsonObject, path: string): Steps<void> {
  if (!isToolCall(call)) {
    collector.skip(
      'unsupported_tool_call',
      path,
      'not one of the three known spellings; read as plain texts.',
      'none',
    );
  }
  for (const name in call) {
    const inner = childPointer(path, name);
    if (!WORDS.names.has(name)) collector.name(inner, 'tool_call', name);
    yield* readLeaves(
      collector,
      call[name],
      inner,
      GUARD_RULES.identifiers.has(name) ? 'identifier' : 'tool_call',
    );
  }
}

/** A message without content may consist of calls. */
export function hasCalls(message: GuardMessage): boolean {
  return (message.tool_calls ?? []).length > 0 || isJsonObject((message as JsonObject)['function_call']);
}

/** Recognizes `{function: {name, arguments}}`, `{type: "tool_use", name, input}` and `{name, args}`. */
function isToolCall(call: JsonObject): boolean {
  const inner = call['function'];
  if (typeof inner === 'object' && inner !== null) return typeof (inner as JsonObject)['name'] === 'string';
  return typeof call['name'] === 'string' && ('input' in call || 'args' in call || 'arguments' in call);
}

/**
 * Returns one entry for every message, in order, with all its members; arrays of blocks are flattened to one string
 * with one text per line, and missing content to an empty string. `slots` are those of readGuardRequest, `replacements`
 * those of the verdict on them (by slot index).
 */
export function* redactedMessages(
  request: GuardRequest,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
  device?: DeviceReading,
): Steps<RedactedMessage[]> {
  if (device !== undefined && conversationFrom(device, request.messages) !== null)
    return yield* writtenTexts(request.messages, replacements);
  const byPath = yield* replacementsByPathInSteps(slots, replacements);
  const written = yield* writtenUnder('/messages', request.messages, byPath);
  return yield* mapping(written, (message) => ({ ...message, content: flattened(message) }));
}

/** Returns the retrieved passages in order, in the form of redactedMessages. */
export function* redactedContext(
  context: NonNullable<GuardRequest['retrieved_context']>,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): Steps<NonNullable<GuardRequest['retrieved_context']>> {
  const byPath = yield* replacementsByPathInSteps(slots, replacements);
  return yield* writtenUnder('/retrieved_context', context, byPath);
}

/** Applies the replacements whose paths start with `root` to a part of a request. */
function* writtenUnder<T>(
  root: string,
  part: T,
  byPath: ReadonlyMap<string, readonly Replacement[]>,
): Steps<T> {
  const inside = new Map<string, readonly Replacement[]>();
  yield* pausing(byPath, ([path, list]) => {
    if (path.startsWith(`${root}/`)) inside.set(path.slice(root.length), list);
  });
  yield;
  const source = JSON.stringify(part);
  yield;
  const written = yield* writeTextsInSteps(source, inside);
  yield;
  const value = parseJson(written) as T;
  yield;
  return value;
}

type RedactedMessage = NonNullable<GuardResponse['redacted_messages']>[number];

function flattened(message: GuardMessage): string {
  if (typeof message.content === 'string') return message.content;
  return textsOf(message.content, roleOfMessage(GUARD_RULES, message.role, true)).join('\n');
}

/** Texts without an author. */
const ASIDE: ReadonlySet<SlotRole> = new Set(['other', 'identifier', 'metadata']);

function textsOf(content: unknown, role: SlotRole): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap((block) => textsOf(block, role));
  if (!isJsonObject(content)) return [];
  if (typeof content['text'] === 'string') return [content['text']];
  if ('content' in content) return textsOf(content['content'], role);
  const collector = new TextCollector(GUARD_RULES);
  finish(readContent(collector, content, '', role));
  const isValue = (slot: TextSlot): boolean => slot.isKey !== true && !/^#|~json/.test(slot.path);
  return collector.slots.filter((slot) => isValue(slot) && !ASIDE.has(slot.role)).map((slot) => slot.text);
}
