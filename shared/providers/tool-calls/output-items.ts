import type { Steps } from '../../text/index.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import { typeOf } from './call-members.ts';
import type { OwnClient } from './own-client.ts';
import { readCallsIn } from './read-calls.ts';
import { type CallReading, readArguments } from './tool-call.ts';

/** An item that was opened, and the text of its arguments, found by its index and by its id. */
interface OpenedItem {
  readonly call: readonly CallReading[];
  readonly isText: boolean;
  byIndex: string;
  byId: string;
  /** Given by the event that ends the arguments. */
  whole: string;
}

/** The readings of a call at one place. */
interface ItemReadings {
  /** In each event that repeats the whole response, and in each that ends the item: the own client takes the last. */
  readonly completed: CallReading[][];
  readonly done: CallReading[][];
  readonly opened: OpenedItem[];
}

const PIECE = /_(?:arguments|input|code)\.delta$/;
const WHOLE = /_(?:arguments|input|code)\.done$/;

/** Items of the Responses API: opened, continued by their arguments, and repeated whole, twice. */
export class OutputItems {
  private readonly places = new Map<string, ItemReadings>();
  private readonly indexes = new Map<string, OpenedItem>();
  private readonly ids = new Map<unknown, OpenedItem>();
  private readonly own: OwnClient;

  constructor(own: OwnClient) {
    this.own = own;
  }

  *read(frame: JsonObject): Steps<void> {
    const { item, response, output_index: index, item_id: id } = frame;
    const type = typeOf(frame);
    if (isJsonObject(item)) {
      if (type === 'response.output_item.added') yield* this.open(index, item);
      else yield* this.addWhole('done', String(index), item);
    }
    const output = isJsonObject(response) ? response['output'] : undefined;
    for (const [at, one] of (Array.isArray(output) ? output : []).entries()) {
      yield* this.addWhole('completed', String(at), one);
      yield;
    }
    const given = PIECE.test(type) ? frame['delta'] : undefined;
    if (typeof given === 'string') this.continue(index, id, given);
    const whole = WHOLE.test(type) ? (frame['arguments'] ?? frame['input'] ?? frame['code']) : undefined;
    const opened = this.indexes.get(String(index)) ?? this.ids.get(id);
    if (typeof whole === 'string' && opened !== undefined) opened.whole = whole;
  }

  private *open(index: unknown, item: JsonObject): Steps<void> {
    const place = `output/${String(index)}`;
    const [call = [], ...inner] = yield* readCallsIn(item, this.own, `#stream:/${place}`, 'blocks');
    for (const [at, one] of inner.entries()) this.placeOf(`${place}/inner/${at}`).done.push(one);
    if (call.length === 0) return;
    const type = typeOf(item);
    const given = item['arguments'] ?? item['input'] ?? item['code'];
    const text = typeof given === 'string' ? given : '';
    const isText = type.startsWith('custom') || type === 'code_interpreter_call';
    const opened = { call, isText, byIndex: text, byId: text, whole: '' };
    this.placeOf(place).opened.push(opened);
    this.indexes.set(String(index), opened);
    this.ids.set(item['id'], opened);
  }

  private *addWhole(kind: 'done' | 'completed', index: string, item: unknown): Steps<void> {
    const calls = yield* readCallsIn(item, this.own, `#stream:/output/${index}`, 'blocks');
    for (const [at, readings] of calls.entries())
      this.placeOf(at === 0 ? `output/${index}` : `output/${index}/inner/${at - 1}`)[kind].push(readings);
  }

  private continue(index: unknown, id: unknown, piece: string): void {
    const byIndex = this.indexes.get(String(index));
    const byId = this.ids.get(id);
    const ofIndex = byIndex ?? byId;
    const ofId = byId ?? byIndex;
    if (ofIndex !== undefined) ofIndex.byIndex += piece;
    if (ofId !== undefined) ofId.byId += piece;
  }

  private placeOf(place: string): ItemReadings {
    let readings = this.places.get(place);
    if (readings === undefined) {
      readings = { completed: [], done: [], opened: [] };
      this.places.set(place, readings);
    }
    return readings;
  }

  *finish(): Steps<Map<string, CallReading[]>> {
    const calls = new Map<string, CallReading[]>();
    for (const [place, { completed, done, opened }] of this.places) {
      // The last event may list items at other positions, and different items at one position are different calls.
      const listOf = ({ id }: CallReading): CallReading[] => {
        const key = id === null ? place : `output/id ${id}`;
        const list = calls.get(key) ?? [];
        calls.set(key, list);
        return list;
      };
      for (const reading of [...completed, ...done].flat()) listOf(reading);
      const whole = [...completed.toReversed(), ...done.toReversed()].flat();
      for (const reading of whole) listOf(reading).push(reading);
      for (const one of opened)
        for (const reading of yield* readOpened(one, whole)) listOf(reading).push(reading);
      yield;
    }
    return calls;
  }
}

/** No client runs an item that was only opened, unless nothing else of it follows. */
function* readOpened(
  { call, isText, byIndex, byId, whole }: OpenedItem,
  repeated: readonly CallReading[],
): Steps<CallReading[]> {
  const [first] = call;
  const texts = [...new Set([whole, byIndex, byId])].filter((text) => text !== '');
  if (first === undefined) return [];
  if (texts.length === 0) return repeated.some(({ id }) => id === first.id) ? [] : [...call];
  const names = new Set(call.map(({ name }) => name));
  const readings: CallReading[] = [];
  for (const value of texts)
    for (const name of names) {
      const item = { path: first.path, id: first.id, name };
      readings.push(...(yield* readArguments(item, { value, isText, path: null })));
    }
  return readings;
}
