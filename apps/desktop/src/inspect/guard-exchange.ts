import type { Direction, GuardRequest, GuardResponse } from '@csg/shared/contract';
import { deviceReadingOf, type EncodedFile, type TextFacts } from '@csg/shared/providers';
import { changesBetween, type Replacement, type SlotRole, type TextSlot } from '@csg/shared/text';
import type { RequestReading } from './request-reading.ts';

/** No rule matches shorter texts. */
const MIN_TEXT = 6;
/** Names of members are usually the app's own; only names long enough to carry text are worth a request. */
const MIN_NAME = 24;

type QuestionMessage = { readonly role: string; readonly content: string };

export interface QuestionFacts {
  readonly reading: Pick<RequestReading, 'slots' | 'messages' | 'model'>;
  readonly direction: Direction;
  readonly host: string;
  readonly factsOf: (index: number) => TextFacts;
}

export interface GuardQuestion {
  readonly request: GuardRequest;
  /** For each message, the index of its slot. */
  readonly slotOf: readonly number[];
}

/**
 * The roles for a service that does not know `device_reading`. Null: meant for the provider's own tools, and not
 * evaluated.
 */
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

/** Returns whether the service is asked because of a text. */
export function isAskedAbout(slot: TextSlot): boolean {
  const isShort = slot.text.length < (slot.isKey === true ? MIN_NAME : MIN_TEXT);
  return !isShort && !isPlainId(slot) && isSentToService(slot);
}

/** Returns whether a text is sent once the service is asked, so that it reads the conversation as the gateway does. */
export function isSentToService({ role }: TextSlot): boolean {
  return ROLES[role] !== null;
}

/** True for texts that programs add about a request. */
export function isAbout({ role }: TextSlot): boolean {
  return role === 'identifier' || role === 'metadata' || role === 'other';
}

/**
 * Creates one message for each of these texts, in the order of the request, followed by the files; `host` is the
 * destination, which selects the exceptions.
 */
export function questionOf(
  { reading, direction, host, factsOf }: QuestionFacts,
  indexes: readonly number[],
  files: readonly EncodedFile[],
): GuardQuestion {
  const slotOf = indexes.toSorted((a, b) => a - b);
  const messages = slotOf.map((index) => asMessage(reading.slots[index]!));
  // The guard requires at least one message.
  const isEmpty = messages.length === 0;
  return {
    request: {
      messages: isEmpty ? [{ role: 'user', content: '' }] : messages,
      direction,
      destination_host: host,
      ...(reading.model !== null && { model: reading.model }),
      ...(!isEmpty && { context: { device_reading: deviceReadingOf(reading, slotOf, factsOf) } }),
      ...(files.length > 0 && { media: files.map(asMedia) }),
    },
    slotOf,
  };
}

const utf8 = new TextEncoder();

/** Of a text in `device_reading`: its message and the names of the members. */
const MAX_PLACE_BYTES = 160;

/** Returns the most that a text takes in the request, as JSON. */
export function messageBytes(slot: TextSlot, facts: TextFacts): number {
  const told = [asMessage(slot), facts, slot.path, slot.path];
  return utf8.encode(JSON.stringify(told)).length + MAX_PLACE_BYTES;
}

export function fileBytes(file: EncodedFile): number {
  return JSON.stringify(asMedia(file)).length + 1;
}

const asMessage = ({ role, text }: TextSlot): QuestionMessage => ({
  role: ROLES[role] ?? 'user',
  content: text,
});

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
  for (const [i, { content }] of redacted.entries()) {
    const index = question.slotOf[i]!;
    const { text } = slots[index]!;
    if (content !== text) found.set(index, changesBetween(text, content));
  }
  return found;
}
