import type { Direction } from '@csg/shared/contract';
import {
  conversationContext,
  guardingIndexes,
  piecesBefore,
  taskIndexes,
  taskTextOf,
  type Workspace,
} from '@csg/shared/detection';
import type { EncodedFile, TextFacts } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import {
  fileBytes,
  type GuardQuestion,
  isAbout,
  isAskedAbout,
  isSentToService,
  messageBytes,
  questionOf,
} from './guard-exchange.ts';
import type { RequestReading } from './request-reading.ts';
import { textFacts } from './text-facts.ts';
import { type CombinedBlock, type KnownText, NO_MEMORY, type TextMemory } from './text-memory.ts';

/** The service rejects larger requests from a device (413). */
const MAX_REQUEST_BYTES = 1024 * 1024;
/** Part of it for host, model and the names of members. */
const ENVELOPE_BYTES = 4 * 1024;
/** Part of it for earlier texts, the context of the new ones. */
const CONTEXT_BYTES = 64 * 1024;
/** Maximum size of a UTF-16 code unit as JSON (\uXXXX), and of the members around a text. */
const MAX_CODE_BYTES = 6;
const MAX_MEMBER_BYTES = 1_000;
/** Maximum per request: the service rejects bodies with more members. */
const MAX_TEXTS = 4_000;

export interface TurnFacts {
  readonly reading: Pick<RequestReading, 'slots' | 'messages' | 'files' | 'model' | 'value'>;
  readonly direction: Direction;
  readonly host: string;
  /** The policy, service and time to which stored results apply. */
  readonly scope: string;
  /** Where texts are read; absent: in a new one. */
  readonly workspace?: Workspace;
  /** Maximum size of one request to the service; smaller in tests. */
  readonly maxBytes?: number;
}

/** Facts shared by all parts of a turn. */
interface GuardedTurn extends TurnFacts {
  /** Slots of the system prompts that keep something from users. Empty for a response. */
  readonly guarding: ReadonlySet<number>;
  readonly factsOf: (index: number) => TextFacts;
}

/** One request to the service. */
export interface TurnPart {
  readonly question: GuardQuestion;
  /** Slots that it evaluates for the first time. The other texts in the request are their context. */
  readonly slots: readonly number[];
  readonly files: readonly EncodedFile[];
}

/** The contents of a request or response, by evaluator. Slots are given by index. */
export interface Turn {
  readonly parts: readonly TurnPart[];
  /** Evaluated by an earlier turn. */
  readonly known: ReadonlyMap<number, KnownText>;
  readonly knownFiles: ReadonlySet<EncodedFile>;
  /** Evaluated by the device: too large for a request to the service. Files of this size are not read. */
  readonly tooLarge: readonly number[];
  /** The service's earlier block of texts that are all among these: applies while it does not respond. */
  readonly blockedBefore: CombinedBlock | null;
  /** Keys of every evaluated text and file, for the memory. */
  readonly keys: ReadonlyMap<number | EncodedFile, string>;
}

/**
 * Plans requests for what is new since the last turn, as whole texts in their order, usually in one request. Null if
 * there is nothing to evaluate.
 */
export function planTurn(facts: TurnFacts, memory: TextMemory): Turn | null {
  const { slots, files } = facts.reading;
  if (!slots.some(isAskedAbout) && files.length === 0) return null;
  const sent = [...slots.keys()].filter((index) => isSentToService(slots[index]!));
  const isInput = facts.direction === 'input';
  const guarding = new Set(isInput ? guardingIndexes(slots) : []);
  const turn = { ...facts, guarding, factsOf: isInput ? textFacts(facts.reading, facts.workspace) : noFacts };
  const keys = keysOf(turn, sent, memory);
  const known = new Map<number, KnownText>();
  for (const index of sent) {
    const before = memory.recall(keys.get(index)!);
    if (before !== undefined) known.set(index, before);
  }
  const knownFiles = new Set(files.filter((file) => memory.recall(keys.get(file)!) !== undefined));
  if (known.size === sent.length && knownFiles.size === files.length) {
    // The service counts and records each request: if no text is new, the last one is sent again.
    const last = sent.findLast((index) => !isAbout(slots[index]!)) ?? sent.at(-1);
    if (last === undefined) knownFiles.delete(files.at(-1)!);
    else known.delete(last);
  }
  const fresh = sent.filter((index) => !known.has(index));
  const freshFiles = files.filter((file) => !knownFiles.has(file));
  const blockedBefore = memory.recallBlocked(new Set(keys.values()));
  return { ...divide(turn, sent, fresh, freshFiles), known, knownFiles, keys, blockedBefore };
}

function keysOf(
  { reading, direction, host, scope, guarding, factsOf }: GuardedTurn,
  sent: readonly number[],
  memory: TextMemory,
): Turn['keys'] {
  const keys = new Map<number | EncodedFile, string>();
  if (memory === NO_MEMORY) return keys;
  const { slots, files, model } = reading;
  const tasks = taskIndexes(slots, direction);
  const pieces = piecesBefore(slots);
  const around = memory.digest(JSON.stringify([scope, host, model, direction]));
  // A prompt that is harmless with one system prompt may request what another one protects.
  const kept = Array.from(guarding, (index) => slots[index]!.text);
  const guards = memory.digest(JSON.stringify(kept));
  let task: TextSlot | undefined;
  let about = '';
  for (const index of sent) {
    const slot = slots[index]!;
    const its = slots[tasks[index]!];
    const kind = [slot.role, slot.isKey === true, slot.isNumber === true, factsOf(index)];
    // Consecutive texts often share the same task.
    if (its !== task) about = its === undefined ? '' : memory.digest(taskTextOf(its));
    task = its;
    const before = pieces[index]!.map((piece) => memory.digest(slots[piece]!.text)).join(' ');
    const beside = slot.role === 'user' ? guards : about;
    const own = memory.digest(JSON.stringify([kind, slot.text]));
    keys.set(index, `${around} ${own} ${beside} ${before}`);
  }
  for (const file of files) keys.set(file, `${around} file ${memory.digest(file.base64)}`);
  return keys;
}

function divide(
  facts: GuardedTurn,
  sent: readonly number[],
  fresh: readonly number[],
  files: readonly EncodedFile[],
): Pick<Turn, 'parts' | 'tooLarge'> {
  const { slots } = facts.reading;
  const capacity = (facts.maxBytes ?? MAX_REQUEST_BYTES) - ENVELOPE_BYTES;
  const context = Math.min(CONTEXT_BYTES, capacity / 3);
  const bundles: { slots: number[]; files: EncodedFile[]; left: number }[] = [];
  const tooLarge: number[] = [];
  const bundleFor = (bytes: number) => {
    let last = bundles.at(-1);
    if (last === undefined || last.left < bytes || last.slots.length >= MAX_TEXTS) {
      last = { slots: [], files: [], left: capacity - context };
      bundles.push(last);
    }
    last.left -= bytes;
    return last;
  };
  const sizeOf = measureFor(facts, fresh, capacity - context);
  for (const index of fresh) {
    const bytes = sizeOf(index);
    if (bytes > capacity - context) tooLarge.push(index);
    else bundleFor(bytes).slots.push(index);
  }
  for (const file of files) {
    const bytes = fileBytes(file);
    if (bytes <= capacity - context) bundleFor(bytes).files.push(file);
  }
  const parts = bundles.map((bundle, i) => {
    // The context reaches to the start of the next part: known texts at the end belong to the last part.
    const end = bundles[i + 1]?.slots[0] ?? slots.length;
    const before = sent.filter((index) => index < end);
    const around = contextOf(facts, before, new Set(bundle.slots), context);
    return { ...bundle, question: questionOf(facts, [...bundle.slots, ...around], bundle.files) };
  });
  return { parts, tooLarge };
}

/** Returns a function for a text's size in a request; 0 for all if they fit into `capacity` in any encoding. */
function measureFor({ reading, factsOf }: GuardedTurn, indexes: readonly number[], capacity: number) {
  const { slots } = reading;
  const size = (sum: number, index: number): number =>
    sum + MAX_CODE_BYTES * (slots[index]!.text.length + 2 * slots[index]!.path.length) + MAX_MEMBER_BYTES;
  const isSmall = indexes.reduce(size, 0) <= capacity;
  return (index: number): number => (isSmall ? 0 : messageBytes(slots[index]!, factsOf(index)));
}

/** Chooses the context among the texts before the end of a part, as if it evaluated the last of them as a whole. */
function contextOf(
  facts: GuardedTurn,
  sent: readonly number[],
  own: ReadonlySet<number>,
  maxBytes: number,
): readonly number[] {
  if (facts.direction === 'output' || sent.length === own.size) return [];
  const { slots } = facts.reading;
  const guarding = [...sent.keys()].filter((at) => facts.guarding.has(sent[at]!));
  const read = sent.map((index) => slots[index]!);
  const others = conversationContext(read, (at) => own.has(sent[at]!), guarding).map((at) => sent[at]!);
  let left = maxBytes;
  const sizeOf = measureFor(facts, others, maxBytes);
  return others.filter((index) => {
    left -= sizeOf(index);
    return left >= 0;
  });
}

const noFacts = (): TextFacts => ({});
