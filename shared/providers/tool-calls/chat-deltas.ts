import { hasExactNumbers, type Steps } from '../../text/index.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import { ARGUMENTS, typeOf, WRAPPERS } from './call-members.ts';
import { OpenedCalls } from './opened-calls.ts';
import type { OwnClient } from './own-client.ts';
import { type CallReading, readArguments } from './tool-call.ts';

/** One delta of a call of chat completions. */
interface Fragment {
  /** The choice and the index of the call, by which the own client joins deltas. */
  readonly place: string;
  readonly id: string | null;
  readonly entry: JsonObject;
}

/** The calls of chat completions, whose deltas clients join by index, by id, or by the names that open calls. */
export class ChatDeltas {
  private readonly byPlace = new Map<string, Fragment[]>();
  private readonly byId = new Map<string, Fragment[]>();
  private readonly opened = new Map<string, OpenedCalls<Fragment>>();
  /** The last id at each place: deltas without an id continue it. */
  private readonly ids = new Map<string, string>();

  /** `isFirst`: the choice is the first of its frame. */
  add(choice: string, delta: JsonObject, isFirst: boolean): void {
    const list = delta['tool_calls'];
    for (const [at, entry] of (Array.isArray(list) ? list : []).entries())
      if (isJsonObject(entry))
        this.addEntry(`${choice}/tool_calls/${String(entry['index'] ?? at)}`, choice, entry, isFirst);
    const alone = delta['function_call'];
    if (isJsonObject(alone))
      this.addEntry(`${choice}/function_call`, choice, { function_call: alone }, isFirst);
  }

  private addEntry(place: string, choice: string, entry: JsonObject, isFirst: boolean): void {
    const own = typeof entry['id'] === 'string' && entry['id'] !== '' ? entry['id'] : null;
    const name = nameOf(entry);
    if (own !== null && (name !== null || !this.ids.has(place))) this.ids.set(place, own);
    const id = own ?? this.ids.get(place) ?? null;
    const fragment = { place, id, entry };
    append(this.byPlace, place, fragment);
    if (id !== null) append(this.byId, `${choice} ${id}`, fragment);
    const delta = { index: entry['index'] ?? null, id: own, name, text: textOf(entry) };
    // Some clients read the first choice of each frame, whichever it is.
    for (const key of isFirst ? [choice, ''] : [choice]) {
      const opened = this.opened.get(key) ?? new OpenedCalls();
      this.opened.set(key, opened);
      opened.add(delta, fragment);
    }
  }

  /** Returns the readings of each call by its place. Calls with other ids at one place are other calls. */
  *finish(own: OwnClient): Steps<Map<string, CallReading[]>> {
    const calls = new Map<string, CallReading[]>();
    for (const [place, fragments] of this.byPlace) {
      calls.set(place, yield* readingsOf(fragments, place, own));
      yield;
    }
    const opened = [...this.opened.values()].flatMap(({ calls: all }) =>
      all.map(({ fragments }) => fragments),
    );
    for (const fragments of [...this.byId.values(), ...opened]) {
      const { place, id } = fragments[0]!;
      const first = this.byPlace.get(place)!;
      const isSame = fragments.length === first.length;
      if (isSame && fragments.every((one) => one.place === place)) continue;
      const key = id === null || id === first[0]!.id ? place : `${place}/${id}`;
      for (const reading of yield* readingsOf(fragments, key, own)) append(calls, key, reading);
      yield;
    }
    return calls;
  }
}

const callsIn = (entry: JsonObject): JsonObject[] =>
  [...WRAPPERS.map((wrapper) => entry[wrapper]), entry].filter(isJsonObject);

const nameOf = (entry: JsonObject): string | null =>
  callsIn(entry)
    .map(({ name }) => name)
    .find((name): name is string => typeof name === 'string' && name.trim() !== '') ?? null;

const textOf = (entry: JsonObject): string =>
  callsIn(entry)
    .flatMap((call) => ARGUMENTS.map((member) => call[member]))
    .find((text) => typeof text === 'string') ?? '';

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The joined deltas of one wrapper. */
interface Joined {
  readonly names: string[];
  readonly texts: Map<string, string>;
  /** False: a part was not text, and a number in it lost digits by being parsed. */
  isExact: boolean;
}

function* readingsOf(fragments: readonly Fragment[], key: string, own: OwnClient): Steps<CallReading[]> {
  const type = fragments.map(({ entry }) => typeOf(entry)).findLast((one) => one !== '') ?? '';
  const id = fragments.find((one) => one.id !== null)?.id ?? null;
  const preferred = own(type);
  const rank = (wrapper: string): number => {
    const at = preferred.findIndex((one) => one.startsWith(`${wrapper}/`));
    return at === -1 ? preferred.length : at;
  };
  const wrappers = [...WRAPPERS, ''].toSorted((one, other) => rank(one) - rank(other));
  const readings: CallReading[] = [];
  for (const wrapper of wrappers) {
    const joined = join(fragments, wrapper);
    yield;
    const member = preferred[rank(wrapper)]?.slice(wrapper.length + 1);
    const call = { path: `#stream:/${key}`, id };
    readings.push(...(yield* readJoined(call, joined, wrapper === 'custom', member)));
  }
  return readings;
}

function join(fragments: readonly Fragment[], wrapper: string): Joined {
  const joined: Joined = { names: [], texts: new Map(), isExact: true };
  for (const { entry } of fragments) {
    const inner = wrapper === '' ? entry : entry[wrapper];
    if (!isJsonObject(inner)) continue;
    const { name } = inner;
    if (typeof name === 'string' && name !== '') joined.names.push(name);
    for (const member of ARGUMENTS) addText(joined, member, inner[member]);
  }
  return joined;
}

function addText(joined: Joined, member: string, piece: unknown): void {
  if (piece === undefined || piece === null) return;
  const before = joined.texts.get(member) ?? '';
  // Some compatible servers send arguments as an object.
  const text = typeof piece === 'string' ? piece : JSON.stringify(piece);
  joined.texts.set(member, before + text);
  if (typeof piece !== 'string') joined.isExact &&= hasExactNumbers(piece);
}

function* readJoined(
  { path, id }: Pick<CallReading, 'path' | 'id'>,
  { names, texts, isExact }: Joined,
  isText: boolean,
  ownMember: string | undefined,
): Steps<CallReading[]> {
  if (names.length === 0 && [...texts.values()].every((text) => text === '')) return [];
  // Some clients take the last name, some the first, and some join the pieces.
  const known = new Set(names.length === 0 ? [''] : [names.at(-1)!, names[0]!, names.join('')]);
  const members = [...texts.keys()].toSorted(
    (one, other) => Number(other === ownMember) - Number(one === ownMember),
  );
  if (ownMember !== undefined && members[0] !== ownMember) members.unshift(ownMember);
  if (members.length === 0) members.push('');
  const readings: CallReading[] = [];
  for (const member of members)
    for (const name of known) {
      const given = { value: texts.get(member) ?? '', isText, path: null };
      readings.push(...(yield* readArguments({ path, id, name }, given)));
    }
  return isExact ? readings : readings.map((one) => ({ ...one, spelling: null }));
}
