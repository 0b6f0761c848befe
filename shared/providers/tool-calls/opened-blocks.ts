import { finish, type Steps } from '../../text/index.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import type { OwnClient } from './own-client.ts';
import { readCallsIn } from './read-calls.ts';
import { type CallReading, readArguments } from './tool-call.ts';

interface OpenedBlock {
  readonly path: string;
  /** The calls in the block as it was opened; the first is that of the block. */
  readonly calls: readonly CallReading[][];
  /** False: the own client of Messages does not see its opening. */
  readonly isCounted: boolean;
  /** True: clients of Converse find no name in its opening. */
  readonly isNameless: boolean;
  /** The JSON of its deltas, found by the number of blocks before it, and by the index of its opening. */
  byPosition: string;
  byIndex: string;
  /** The same in deltas of Converse. */
  ofConverse: string;
  /** The JSON of the deltas of either before the next opening. */
  byOrder: string;
}

/** Blocks of Messages and Converse: opened with a name, and continued by deltas with the JSON of the input. */
export class OpenedBlocks {
  private readonly all: OpenedBlock[] = [];
  private positions: OpenedBlock[] = [];
  private readonly indexes = new Map<string, OpenedBlock>();
  /** Converse has its own member for the index. */
  private readonly converse = new Map<string, OpenedBlock>();
  private readonly own: OwnClient;

  constructor(own: OwnClient) {
    this.own = own;
  }

  /** `event`: the name of the event, without which the own client of Messages ignores a frame. */
  *read(frame: JsonObject, event: string | undefined): Steps<void> {
    const { message } = frame;
    const type = event === undefined ? null : frame['type'];
    if (type === 'message_start' && isJsonObject(message)) yield* this.begin(message['content']);
    for (const opened of [frame['content_block'], frame['start']])
      if (isJsonObject(opened)) yield* this.open(frame, opened, type === 'content_block_start');
    const { delta } = frame;
    if (isJsonObject(delta)) yield* this.continue(frame, delta, type === 'content_block_delta');
  }

  private *continue(frame: JsonObject, delta: JsonObject, isSeen: boolean): Steps<void> {
    const { toolUse: inner, partial_json: piece } = delta;
    if (isJsonObject(inner) && typeof inner['input'] === 'string') {
      // Without an opening a client has no name for it, but its arguments.
      const opened =
        this.converse.get(converseIndexOf(frame)) ??
        (yield* this.open(frame, { toolUse: { name: '' } }, false));
      opened.ofConverse += inner['input'];
      this.all.at(-1)!.byOrder += inner['input'];
    }
    if (typeof piece !== 'string') return;
    const byIndex = this.indexes.get(indexOf(frame));
    if (byIndex !== undefined) byIndex.byIndex += piece;
    const last = this.all.at(-1);
    if (last !== undefined) last.byOrder += piece;
    const isCounted = isSeen && delta['type'] === 'input_json_delta';
    // The own client writes a block back at the given index, which changes its content only at a position of it.
    const byPosition = isCounted ? this.positions[frame['index'] as number] : undefined;
    if (byPosition !== undefined) byPosition.byPosition += piece;
  }

  /** The own client of Messages begins with the blocks that the message already has. */
  private *begin(content: unknown): Steps<void> {
    this.positions = [];
    for (const [index, block] of (Array.isArray(content) ? content : []).entries())
      if (isJsonObject(block)) yield* this.open({ index }, block, true);
  }

  private *open(frame: JsonObject, block: JsonObject, isCounted: boolean): Steps<OpenedBlock> {
    const path = `#stream:/content/${this.all.length}`;
    const calls = yield* readCallsIn(block, this.own, path, 'blocks');
    const { toolUse } = block;
    const isNamed = calls.length > 0 && isJsonObject(toolUse) && typeof toolUse['name'] === 'string';
    const isNameless = toolUse !== undefined && !isNamed;
    const pieces = { byPosition: '', byIndex: '', ofConverse: '', byOrder: '' };
    const opened = { path, calls, isCounted, isNameless, ...pieces };
    this.all.push(opened);
    if (isCounted) this.positions.push(opened);
    this.indexes.set(indexOf(frame), opened);
    this.converse.set(converseIndexOf(frame), opened);
    return opened;
  }

  /** `isPositional`: the own client counts blocks, and ignores the indexes of their openings. */
  *finish(isPositional: boolean): Steps<CallReading[][]> {
    const finished: CallReading[][] = [];
    for (const block of this.all) {
      finished.push(...(yield* finishBlock(block, isPositional)));
      yield;
    }
    return finished;
  }
}

function* finishBlock(block: OpenedBlock, isPositional: boolean): Steps<CallReading[][]> {
  const { path, isCounted, isNameless, byPosition, byIndex, ofConverse, byOrder } = block;
  const [call, ...inner] = block.calls;
  // Without a name a client has arguments at least.
  const isOwn = isNameless || (ofConverse !== '' && call === undefined);
  const nameless = isOwn ? [yield* withInput(path, NAMELESS, [ofConverse, byOrder], '')] : [];
  if (call === undefined) return nameless;
  const texts = isPositional
    ? [byPosition, byIndex, ofConverse, byOrder]
    : [ofConverse, byOrder, byIndex, byPosition];
  const isOpening = isPositional ? isCounted && byPosition === '' : ofConverse === '';
  const joined = yield* withInput(path, call, texts, byPosition);
  return [isOpening ? [...call, ...joined] : joined, ...inner, ...nameless];
}

const NAMELESS = finish(
  readArguments({ path: '', id: null, name: '' }, { value: undefined, isText: false, path: null }),
);

/** The input of the deltas replaces that of the opening, which is empty unless somebody hides a call in it. */
function* withInput(
  path: string,
  call: readonly CallReading[],
  texts: readonly string[],
  byPosition: string,
): Steps<CallReading[]> {
  const [first] = call;
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  if (first === undefined || distinct.length === 0) return [...call];
  const names = new Set(call.map(({ name }) => name));
  const joined: CallReading[] = [];
  for (const value of distinct)
    for (const name of names) {
      const given = { value, isText: false, path: null, isCutRead: value === byPosition };
      joined.push(...(yield* readArguments({ path, id: first.id, name }, given)));
    }
  return [...joined, ...call.filter(({ spelling }) => spelling !== '{}')];
}

const indexOf = (frame: JsonObject): string => String(frame['index'] ?? frame['contentBlockIndex'] ?? 0);

const converseIndexOf = (frame: JsonObject): string =>
  String(frame['contentBlockIndex'] ?? frame['index'] ?? null);
