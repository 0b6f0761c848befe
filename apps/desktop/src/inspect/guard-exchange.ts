import type { Direction, GuardRequest, GuardResponse } from '@csg/shared/contract';
import type { EncodedFile } from '@csg/shared/providers';
import { changesBetween, type Replacement, type SlotRole, type TextSlot } from '@csg/shared/text';
import type { RequestReading } from './request-reading.ts';

/** No rule matches shorter texts. */
const MIN_TEXT = 6;
/** Names of members are usually the app's own; only names long enough to carry text are sent to the service. */
const MIN_NAME = 24;

interface QuestionMessage {
  role: string;
  content: string;
  type?: 'tool_definition';
  tool_call_id?: string;
}

export interface QuestionFacts {
  readonly reading: Pick<RequestReading, 'slots' | 'model'>;
  readonly direction: Direction;
  readonly host: string;
}

export interface GuardQuestion {
  readonly request: GuardRequest;
  /** For each message, the index of its slot. */
  readonly slotOf: readonly number[];
}

/** Null: meant for the provider's own tools, and not evaluated. */
const ROLES: Readonly<Record<SlotRole, string | null>> = {
  credential: null,
  system: 'system',
  tool_definition: 'system',
  user: 'user',
  identifier: 'user',
  metadata: 'user',
  other: 'user',
  assistant: 'assistant',
  tool_call: 'assistant',
  tool_result: 'tool',
  document: 'tool',
};

/** Texts that programs add about a request. They come first, so that the user's last message is the last one. */
const ABOUT: ReadonlySet<SlotRole> = new Set(['identifier', 'metadata', 'other']);

/** Returns whether a text is sent to the service. */
export function isSentToService(slot: TextSlot): boolean {
  const isShort = slot.text.length < (slot.isKey === true ? MIN_NAME : MIN_TEXT);
  return !isShort && !isPlainId(slot) && ROLES[slot.role] !== null;
}

export function isAbout({ role }: TextSlot): boolean {
  return ABOUT.has(role);
}

/**
 * Creates one message for each of these texts, in the order of the request, followed by the files; `host` is the
 * destination, which selects the exceptions.
 */
export function questionOf(
  { reading, direction, host }: QuestionFacts,
  indexes: readonly number[],
  files: readonly EncodedFile[],
): GuardQuestion {
  const { slots, model } = reading;
  const inOrder = indexes.toSorted((a, b) => a - b);
  const { about = [], spoken = [] } = Object.groupBy(inOrder, (index) =>
    isAbout(slots[index]!) ? 'about' : 'spoken',
  );
  const slotOf = [...about, ...spoken];
  const messages = slotOf.map((index) => asMessage(slots[index]!));
  // The guard requires at least one message.
  const sent = messages.length === 0 ? [{ role: 'user', content: '' }] : messages;
  return {
    request: {
      messages: sent,
      direction,
      destination_host: host,
      ...(model !== null && { model }),
      ...(files.length > 0 && { media: files.map(asMedia) }),
    },
    slotOf,
  };
}

const utf8 = new TextEncoder();

/** Returns the size of a text in the request, as JSON, including the comma after it. */
export function messageBytes(slot: TextSlot): number {
  return utf8.encode(JSON.stringify(asMessage(slot))).length + 1;
}

export function fileBytes(file: EncodedFile): number {
  return JSON.stringify(asMedia(file)).length + 1;
}

/** An identifier is sent as `tool_call_id`; a tool definition is marked by its type. */
function asMessage({ role: of, text }: TextSlot): QuestionMessage {
  const role = ROLES[of] ?? 'user';
  if (of === 'identifier') return { role, content: '', tool_call_id: text };
  return { role, content: text, ...(of === 'tool_definition' && { type: of }) };
}

/** The service detects a file's type from its content, not from its declared type. */
function asMedia({ base64 }: EncodedFile): { [name: string]: unknown } {
  return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64 } };
}

/** A time in seconds, or in milliseconds and finer units, as is common in telemetry. */
const TIME = /^1\d{9}(?:\d{3}){0,3}(?:\.\d+)?$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Ids and times that apps send with every click would cause useless requests to the service. */
function isPlainId({ text, isNumber }: TextSlot): boolean {
  return isNumber === true ? TIME.test(text) : text.length === 36 && UUID.test(text);
}

/**
 * Returns the replacements by slot that the service's texts require. Unchanged texts have no entry. Null if the
 * response does not match the request.
 */
export function replacementsOf(
  question: GuardQuestion,
  slots: readonly TextSlot[],
  response: GuardResponse,
): Map<number, readonly Replacement[]> | null {
  const redacted = response.redacted_messages;
  if (redacted === null || redacted.length !== question.slotOf.length) return null;
  const found = new Map<number, readonly Replacement[]>();
  for (const [i, message] of (redacted as readonly QuestionMessage[]).entries()) {
    const index = question.slotOf[i]!;
    const { text, role } = slots[index]!;
    const written = role === 'identifier' ? (message.tool_call_id ?? text) : message.content;
    if (written !== text) found.set(index, changesBetween(text, written));
  }
  return found;
}
