import { isIdentifier } from './identifiers.ts';
import { readByRule } from './read-body.ts';
import { collectTokens } from './read-tokens.ts';
import { roleOfBlock, roleOfEvent, roleOfMember } from './roles.ts';
import type { Rule, StreamRule } from './rules.ts';
import { type Accumulator, accumulatorOf, addTo, copyOf, type Stream } from './stream-accumulators.ts';
import { isJsonObject, type JsonObject, readLeaves } from './text-collector.ts';

/** A frame, and where in the response the rules for its members count from. */
export interface FramePosition {
  readonly frame: JsonObject;
  readonly type: string;
  readonly base: Accumulator;
}

/** Appends what a member of a frame says to what the frames before it said there. False: it was not only a delta. */
export function goOn(stream: Stream, rule: StreamRule, at: FramePosition, value: unknown): boolean {
  if (rule.isPushed === true) return pushBlocks(stream, rule, at, value);
  const base = accumulatorAt(stream, rule, at);
  if (rule.each !== undefined) return goOnEach(stream, rule, below(at, base), value);
  if (rule.inside !== null) return goOnInside(stream, rule, rule.inside, below(at, base), value);
  if (rule.opensByType !== undefined) beginByType(stream, rule, indexesIn(rule, at.frame), value, 0);
  else joinAll(stream, base, value, 0);
  return rule.as === undefined;
}

/** An object with rules of its own for its members. */
function goOnInside(
  stream: Stream,
  rule: StreamRule,
  inside: NonNullable<StreamRule['inside']>,
  at: FramePosition,
  value: unknown,
): boolean {
  if (!isJsonObject(value)) {
    // Not of the shape that the format says, and still what a client may show.
    joinAll(stream, at.base, value, 0);
    return false;
  }
  for (const [name, inner] of inside) goOn(stream, inner, at, value[name]);
  // What is read as a whole besides has no other members to be joined.
  if (rule.as !== undefined) return false;
  for (const name in value) if (!inside.has(name)) joinMember(stream, at.base, name, value[name], 0);
  return true;
}

const below = ({ frame, type }: FramePosition, base: Accumulator): FramePosition => ({ frame, type, base });

/** The accumulator that the rule's position leads to; members of the frame that are missing, or no index, are left out. */
function accumulatorAt(
  stream: Stream,
  { position }: StreamRule,
  { frame, type, base }: FramePosition,
): Accumulator {
  const { members } = stream.rest.rules;
  let accumulator = base;
  for (const step of position ?? []) {
    if ('name' in step)
      accumulator = accumulatorOf(
        accumulator,
        step.name,
        roleOfMember(members.get(step.name), accumulator.role),
      );
    else if (step.member === 'type')
      accumulator = type === '' ? accumulator : accumulatorOf(accumulator, type, roleOfEvent(type));
    else {
      const index = frame[step.member];
      if (typeof index === 'number') accumulator = accumulatorOf(accumulator, index, accumulator.role);
    }
  }
  return accumulator;
}

/** A list that is told apart by a member of its items. */
function goOnEach(stream: Stream, rule: StreamRule, at: FramePosition, items: unknown): boolean {
  if (!Array.isArray(items)) {
    joinAll(stream, at.base, items, 0);
    return false;
  }
  let isOnlyDelta = true;
  for (let i = 0; i < items.length; i++) {
    const item: unknown = items[i];
    if (!isJsonObject(item)) {
      readLeaves(stream.rest, item, '#stream:/each', 'assistant');
      continue;
    }
    if (!readWholeMembers(stream, rule, item)) isOnlyDelta = false;
    for (const base of itemAccumulators(at.base, item[rule.each as string], i))
      goOnItem(stream, rule, below(at, base), item);
  }
  return isOnlyDelta;
}

/** False: something was read that is not only a delta. */
function readWholeMembers(stream: Stream, rule: StreamRule, item: JsonObject): boolean {
  let isOnlyDelta = true;
  for (const { name, rule: inner } of rule.whole) {
    if (!(name in item)) continue;
    if (inner.as === 'tokens') collectTokens(stream.tokens, stream.rest.rules.words, item[name]);
    else {
      readByRule(stream.rest, inner, item[name], `#stream:/${name}`);
      isOnlyDelta = false;
    }
  }
  return isOnlyDelta;
}

function goOnItem(stream: Stream, rule: StreamRule, at: FramePosition, item: JsonObject): void {
  for (const name in item) {
    const inner = rule.inside?.get(name);
    if (inner === undefined) joinMember(stream, at.base, name, item[name], 0);
    else if (inner.position !== null) goOn(stream, inner, at, item[name]);
  }
}

/** Of an index that is no number this much tells it from others. */
const MAX_LABEL = 64;

/** Of items that have no index, one after another. */
const NO_INDEX = 'no index';

/** The accumulators that an item goes on with. A client that looks at no index sees another text only once there are two. */
function itemAccumulators(list: Accumulator, index: unknown, at: number): Accumulator[] {
  const itemAt = (one: string | number): Accumulator => accumulatorOf(list, one, 'assistant');
  if (typeof index === 'number') return [itemAt(index)];
  const indexes = indexesOf(index, at);
  const first = list.inner?.get(0);
  const others = (list.inner?.size ?? 0) - (first === undefined ? 0 : 1);
  if (others > 0 || indexes.size > 1 || !indexes.has(0)) {
    if (first !== undefined && !list.inner!.has(NO_INDEX)) list.inner!.set(NO_INDEX, copyOf(first));
    indexes.add(NO_INDEX);
  }
  return Array.from(indexes, itemAt);
}

/**
 * Under which indexes a client may put an item together that has no number. One that is missing is that of its place, or
 * zero; what is no number is taken as it stands, for the number it spells, or for its place.
 */
function indexesOf(index: unknown, at: number): Set<string | number> {
  if (index === undefined || index === null) return new Set([at, 0]);
  const label = `index ${JSON.stringify(index)}`.slice(0, MAX_LABEL);
  const spelled = typeof index === 'string' ? Number(index) : Number.NaN;
  return new Set([`place ${at}`, label, Number.isNaN(spelled) ? label : spelled]);
}

/**
 * Blocks that frames find by their index, or by how many were opened before: where both are not the same the text is
 * read both ways. A list of them begins anew.
 */
function pushBlocks(stream: Stream, rule: StreamRule, at: FramePosition, value: unknown): boolean {
  const last = rule.position?.at(-1);
  const isList = last === undefined || 'name' in last;
  const position = isList ? rule.position : (rule.position ?? []).slice(0, -1);
  const list = accumulatorAt(stream, { ...rule, position }, at);
  if (isList) {
    stream.blocks = 0;
    const blocks: readonly unknown[] = Array.isArray(value) ? value : [];
    for (const [i, block] of blocks.entries()) openBlock(stream, rule, list, i, block);
    return false;
  }
  const index = at.frame[last.member];
  if (rule.opens !== null) {
    openBlock(stream, rule, list, typeof index === 'number' ? index : 0, value);
    return false;
  }
  if (typeof index !== 'number') {
    joinAll(stream, list, value, 0);
    return true;
  }
  joinAll(stream, accumulatorOf(list, index, 'assistant'), value, 0);
  if (stream.byIndex !== null) joinAll(stream, accumulatorOf(stream.byIndex, index, 'assistant'), value, 0);
  return true;
}

function openBlock(
  stream: Stream,
  { opens, closes }: StreamRule,
  list: Accumulator,
  index: number,
  block: unknown,
): void {
  if (opens === null) return;
  stream.isInterleaved ||= stream.closing !== null;
  stream.closing = closes ?? null;
  if (index !== stream.blocks) stream.byIndex ??= copyOf(list);
  if (stream.byIndex !== null)
    begin(stream, accumulatorOf(stream.byIndex, index, 'assistant'), block, opens, 0);
  begin(stream, accumulatorOf(list, stream.blocks++, 'assistant'), block, opens, 0);
}

/** The members of the frame that the rule's place counts, as far as they are there. */
function indexesIn({ position }: StreamRule, frame: JsonObject): number[] {
  const members = (position ?? []).map((step) => ('member' in step ? frame[step.member] : undefined));
  return members.filter((index) => typeof index === 'number');
}

/** The same for items and parts that deltas find by the type of their event and the indexes that lead to them. */
function beginByType(
  stream: Stream,
  rule: StreamRule,
  indexes: readonly number[],
  value: unknown,
  depth: number,
): void {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) beginByType(stream, rule, [...indexes, i], item, depth);
    return;
  }
  if (!isJsonObject(value) || depth > MAX_NESTED) return;
  const type = String(value['type']);
  const opened = Object.hasOwn(rule.opensByType ?? {}, type) ? rule.opensByType?.[type] : undefined;
  if (opened !== undefined && typeof value[opened[0]] === 'string') {
    const [member, event] = opened;
    let accumulator = accumulatorOf(
      accumulatorOf(stream.root, 'delta', 'assistant'),
      event,
      roleOfEvent(event),
    );
    for (const index of indexes) accumulator = accumulatorOf(accumulator, index, accumulator.role);
    accumulator.text += value[member] as string;
  }
  for (const name in value) {
    const inner = value[name];
    if (Array.isArray(inner) && stream.rest.rules.members.get(name)?.as === 'content')
      beginByType(stream, rule, indexes, inner, depth + 1);
  }
}

const MAX_NESTED = 3;

/**
 * Clients append deltas to what an opening frame already said: a text that is cut between the two is one to them, so
 * it begins the strand here, too. What the opening holds is read as a whole besides.
 */
function begin(
  stream: Stream,
  accumulator: Accumulator,
  value: unknown,
  opens: ReadonlySet<string>,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  const { rules } = stream.rest;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++)
      begin(stream, accumulatorOf(accumulator, i, accumulator.role), value[i], opens, depth + 1);
    return;
  }
  const block = value as JsonObject;
  const role =
    typeof block['type'] === 'string'
      ? roleOfBlock(rules, block['type'], accumulator.role)
      : accumulator.role;
  // Data that the model was shown: no delta goes on with it.
  if (role === 'tool_result' || role === 'document') return;
  for (const name in block) {
    const member = block[name];
    const below = (): Accumulator =>
      accumulatorOf(accumulator, name, roleOfMember(rules.members.get(name), role));
    if (typeof member === 'string' && opens.has(name)) below().text += member;
    else if (typeof member === 'object' && rules.members.get(name)?.as === 'content')
      begin(stream, below(), member, opens, depth + 1);
  }
}

const MAX_DEPTH = 100;
/** The items of a list one after another, whatever their places. */
export const EVERY = 'every';

/** Every text of a value, each on the strand of the names and indexes that lead to it. */
export function joinAll(stream: Stream, accumulator: Accumulator, value: unknown, depth: number): void {
  if (typeof value === 'string') {
    addTo(stream, accumulator, value);
  } else if (typeof value === 'number') {
    stream.rest.number('#stream:/delta', accumulator.role, value);
  } else if (typeof value !== 'object' || value === null) {
    return;
  } else if (depth > MAX_DEPTH) {
    readLeaves(stream.rest, value, '#stream:/delta', accumulator.role);
  } else if (Array.isArray(value)) {
    joinList(stream, accumulator, value, depth);
  } else {
    for (const name in value) joinMember(stream, accumulator, name, (value as JsonObject)[name], depth + 1);
  }
}

/** A client that looks at no places puts all items together. */
function joinList(stream: Stream, accumulator: Accumulator, items: readonly unknown[], depth: number): void {
  const hasIndex = isJsonObject(items[0]) && typeof items[0]['index'] === 'number';
  if (!hasIndex && (items.length > 1 || accumulator.inner?.has(EVERY) === true)) {
    accumulator.inner ??= new Map();
    let every = accumulator.inner.get(EVERY);
    if (every === undefined) {
      every = copyOf(accumulatorOf(accumulator, 0, accumulator.role));
      accumulator.inner.set(EVERY, every);
    }
    for (const item of items) joinAll(stream, every, item, depth + 1);
  }
  for (let i = 0; i < items.length; i++) {
    const item: unknown = items[i];
    const index = isJsonObject(item) && typeof item['index'] === 'number' ? item['index'] : i;
    joinAll(stream, accumulatorOf(accumulator, index, accumulator.role), item, depth + 1);
  }
}

function joinMember(
  stream: Stream,
  accumulator: Accumulator,
  name: string,
  value: unknown,
  depth: number,
): void {
  const { rules } = stream.rest;
  const rule = rules.members.get(name);
  if (rule === undefined && !rules.words.names.has(name)) stream.labels.add(name);
  const role = roleOfMember(rule, accumulator.role);
  if (typeof value === 'string') {
    if (rule?.isOwn === true && isLabel(rule)) noteLabel(stream, rule, value);
    else addTo(stream, accumulatorOf(accumulator, name, role), value);
  } else if (typeof value === 'number') {
    stream.rest.number('#stream:/delta', role, value);
  } else if (rule?.isOwn === true && rule.role === 'document' && typeof value === 'object') {
    readLeaves(stream.rest, value, `#stream:/${name}`, 'document');
  } else joinAll(stream, accumulatorOf(accumulator, name, role), value, depth);
}

const isLabel = ({ as }: Rule): boolean => as === 'label' || as === 'identifier';

/** What says the same in every frame, or files it: each once. */
export function noteLabel(stream: Stream, rule: Pick<Rule, 'as' | 'isOwn'>, value: string): void {
  if (stream.rest.isKnownValue(value)) return;
  const isIdentifierHere = rule.isOwn && rule.as === 'identifier' && isIdentifier(value);
  (isIdentifierHere ? stream.identifiers : stream.labels).add(value);
}
