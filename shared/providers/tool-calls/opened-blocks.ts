import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import type { OwnClient } from './own-client.ts';
import { readCallsIn } from './read-calls.ts';
import { type CallReading, readArguments } from './tool-call.ts';

interface OpenedBlock {
  readonly path: string;
  /** The calls in the block as it was opened; the first is that of the block. */
  readonly calls: readonly CallReading[][];
  /** The JSON of its deltas, found by the number of blocks before it, and by the index of its opening. */
  byPosition: string;
  byIndex: string;
}

/** Blocks of Messages and Converse: opened with a name, and continued by deltas with the JSON of the input. */
export class OpenedBlocks {
  private readonly all: OpenedBlock[] = [];
  private positions: OpenedBlock[] = [];
  private readonly indexes = new Map<string, OpenedBlock>();
  private readonly own: OwnClient;

  constructor(own: OwnClient) {
    this.own = own;
  }

  read(frame: JsonObject): void {
    const index = frame['index'] ?? frame['contentBlockIndex'] ?? 0;
    const { message } = frame;
    if (frame['type'] === 'message_start' && isJsonObject(message)) this.begin(message['content']);
    for (const opened of [frame['content_block'], frame['start']])
      if (isJsonObject(opened)) this.open(index, opened);
    const { delta } = frame;
    if (!isJsonObject(delta)) return;
    const inner = delta['toolUse'];
    const piece = isJsonObject(inner) ? inner['input'] : delta['partial_json'];
    if (typeof piece === 'string') this.continue(index, piece, isJsonObject(inner));
  }

  /** The own client of Messages begins with the blocks that the message already has. */
  private begin(content: unknown): void {
    this.positions = [];
    for (const [index, block] of (Array.isArray(content) ? content : []).entries())
      if (isJsonObject(block)) this.open(index, block);
  }

  private open(index: unknown, block: JsonObject): OpenedBlock {
    const path = `#stream:/content/${this.all.length}`;
    const opened = { path, calls: readCallsIn(block, this.own, path, 'blocks'), byPosition: '', byIndex: '' };
    this.all.push(opened);
    this.positions.push(opened);
    this.indexes.set(String(index), opened);
    return opened;
  }

  private continue(index: unknown, piece: string, isCall: boolean): void {
    let byIndex = this.indexes.get(String(index));
    // A client has no name for it, but its arguments.
    if (byIndex === undefined && isCall) byIndex = this.open(index, { toolUse: { name: '' } });
    if (byIndex !== undefined) byIndex.byIndex += piece;
    const byPosition = this.positions.at(Number(index) || 0);
    if (byPosition !== undefined) byPosition.byPosition += piece;
  }

  /** `isPositional`: the own client counts blocks, and ignores the indexes of their openings. */
  finish(isPositional: boolean): CallReading[][] {
    return this.all.flatMap(({ path, calls: [call, ...inner], byPosition, byIndex }) => {
      if (call === undefined) return [];
      const texts = isPositional ? [byPosition, byIndex] : [byIndex, byPosition];
      return [withInput(path, call, texts), ...inner];
    });
  }
}

/** The input of the deltas replaces that of the opening, which is empty unless somebody hides a call in it. */
function withInput(path: string, call: readonly CallReading[], texts: readonly string[]): CallReading[] {
  const [first] = call;
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  if (first === undefined || distinct.length === 0) return [...call];
  const names = new Set(call.map(({ name }) => name));
  const joined = distinct.flatMap((value) =>
    [...names].flatMap((name) =>
      readArguments({ path, id: first.id, name }, { value, isText: false, path: null }),
    ),
  );
  return [...joined, ...call.filter(({ spelling }) => spelling !== '{}')];
}
