import type { SlotRole, Steps } from '../../text/index.ts';
import { isIdentifier } from './identifiers.ts';
import { itemAccumulators, NO_INDEX } from './item-accumulators.ts';
import { readByRule } from './read-body.ts';
import { collectTokens } from './read-tokens.ts';
import { isThoughtEvent, roleOfBlock, roleOfEvent, roleOfMember } from './roles.ts';
import type { Rule, Rules, StreamRule } from './rules.ts';
import { sealOf } from './signed-blocks.ts';
import { type Accumulator, accumulatorOf, addTo, copyOf, type Stream } from './stream-accumulators.ts';
import { isJsonObject, type JsonObject, readLeaves } from './text-collector.ts';

/** Items of a frame between two pauses. */
const STRIDE = 64;
const isPause = (stream: Stream): boolean => ++stream.items % STRIDE === 0;

/** A frame, and the position in the response from which the rules for its members count. */
export interface FramePosition {
  readonly frame: JsonObject;
  readonly type: string;
  readonly base: Accumulator;
}

/** Appends a member's value to the text of earlier frames at its position. False: it was not only a delta. */
export function* appendDelta(
  stream: Stream,
  rule: StreamRule,
  at: FramePosition,
  value: unknown,
): Steps<boolean> {
  if (rule.isPushed === true) return yield* pushBlocks(stream, rule, at, value);
  const base = accumulatorAt(stream, rule, at);
  if (rule.each !== undefined) return yield* goOnEach(stream, rule, below(at, base), value);
  if (rule.inside !== null) return yield* goOnInside(stream, rule, rule.inside, below(at, base), value);
  if (rule.opensByType !== undefined) yield* beginByType(stream, rule, indexesIn(rule, at.frame), value, 0);
  else yield* joinAll(stream, base, value, 0);
  return rule.as === undefined;
}

/** An object with rules of its own for its members. */
function* goOnInside(
  stream: Stream,
  rule: StreamRule,
  inside: NonNullable<StreamRule['inside']>,
  at: FramePosition,
  value: unknown,
): Steps<boolean> {
  if (!isJsonObject(value)) {
    // Not of the format's shape, but a client may still show it.
    yield* joinAll(stream, at.base, value, 0);
    return false;
  }
  for (const [name, inner] of inside)
    if (!appendScalar(stream, inner, at, value[name])) yield* appendDelta(stream, inner, at, value[name]);
  // A value that is also read as a whole has no other members to join.
  if (rule.as !== undefined) return false;
  for (const name in value)
    if (!inside.has(name) && !joinScalarMember(stream, at.base, name, value[name]))
      yield* joinMember(stream, at.base, name, value[name], 0);
  return true;
}

const below = ({ frame, type }: FramePosition, base: Accumulator): FramePosition => ({ frame, type, base });

/** Returns the accumulator at the rule's position; missing members of the frame, such as an index, are skipped. */
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
    else if (step.member === 'type') accumulator = accumulatorOfEvent(accumulator, type);
    else {
      const index = frame[step.member];
      if (typeof index === 'number') accumulator = accumulatorOf(accumulator, index, accumulator.role);
    }
  }
  return accumulator;
}

function accumulatorOfEvent(accumulator: Accumulator, type: string): Accumulator {
  if (type === '') return accumulator;
  const ofEvent = accumulatorOf(accumulator, type, roleOfEvent(type));
  if (isThoughtEvent(type)) ofEvent.isThought = true;
  return ofEvent;
}

/** Continues a list whose items are identified by one of their members. */
function* goOnEach(stream: Stream, rule: StreamRule, at: FramePosition, items: unknown): Steps<boolean> {
  if (!Array.isArray(items)) {
    yield* joinAll(stream, at.base, items, 0);
    return false;
  }
  let isOnlyDelta = true;
  for (let i = 0; i < items.length; i++) {
    const item: unknown = items[i];
    if (!isJsonObject(item)) {
      yield* readLeaves(stream.rest, item, '#stream:/each', 'assistant');
      continue;
    }
    if (!(yield* readWholeMembers(stream, rule, item))) isOnlyDelta = false;
    const last = rule.position?.at(-1);
    const list = last !== undefined && 'name' in last ? last.name : '';
    const around = stream.rest.enter(item, `#stream:/${list}/${i}`, 'assistant');
    const isThought = stream.rest.isInSigned;
    stream.rest.leave(around);
    for (const base of itemAccumulators(at.base, item[rule.each as string], i)) {
      // The reading without indexes mixes thoughts with words.
      if (isThought && base !== at.base.inner?.get(NO_INDEX)) base.isThought = true;
      yield* goOnItem(stream, rule, below(at, base), item);
    }
  }
  return isOnlyDelta;
}

/** Returns false if something other than a delta was read. */
function* readWholeMembers(stream: Stream, rule: StreamRule, item: JsonObject): Steps<boolean> {
  let isOnlyDelta = true;
  for (const { name, rule: inner } of rule.whole) {
    if (!(name in item)) continue;
    if (inner.as === 'tokens') collectTokens(stream.tokens, stream.rest.rules.words, item[name]);
    else {
      yield* readByRule(stream.rest, inner, item[name], `#stream:/${name}`);
      isOnlyDelta = false;
    }
  }
  return isOnlyDelta;
}

function* goOnItem(stream: Stream, rule: StreamRule, at: FramePosition, item: JsonObject): Steps<void> {
  if (isPause(stream)) yield;
  for (const name in item) {
    const value = item[name];
    const inner = rule.inside?.get(name);
    if (inner === undefined) {
      if (!joinScalarMember(stream, at.base, name, value)) yield* joinMember(stream, at.base, name, value, 0);
    } else if (inner.position !== null && !appendScalar(stream, inner, at, value))
      yield* appendDelta(stream, inner, at, value);
  }
}

/** Does at once what most deltas are: a text at its position. False: it is something else. */
function appendScalar(stream: Stream, rule: StreamRule, at: FramePosition, value: unknown): boolean {
  const isPlain = rule.isPushed !== true && rule.each === undefined && rule.opensByType === undefined;
  if (!isPlain || rule.inside !== null || isContainer(value)) return false;
  joinScalar(stream, accumulatorAt(stream, rule, at), value);
  return true;
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Opens blocks, which frames find by their index or by the number of blocks opened before: if these differ, the text is
 * read both ways. A list of blocks starts again.
 */
function* pushBlocks(stream: Stream, rule: StreamRule, at: FramePosition, value: unknown): Steps<boolean> {
  const last = rule.position?.at(-1);
  const isList = last === undefined || 'name' in last;
  const position = isList ? rule.position : (rule.position ?? []).slice(0, -1);
  const list = accumulatorAt(stream, { ...rule, position }, at);
  if (isList) {
    stream.blocks = 0;
    const blocks: readonly unknown[] = Array.isArray(value) ? value : [];
    for (const [i, block] of blocks.entries()) {
      yield* openBlock(stream, rule, list, i, block);
    }
    return false;
  }
  const index = at.frame[last.member];
  if (rule.opens !== null) {
    yield* openBlock(stream, rule, list, typeof index === 'number' ? index : 0, value);
    return false;
  }
  if (typeof index !== 'number') {
    yield* joinAll(stream, list, value, 0);
    return true;
  }
  yield* joinAll(stream, accumulatorOf(list, index, 'assistant'), value, 0);
  if (stream.byIndex !== null)
    yield* joinAll(stream, accumulatorOf(stream.byIndex, index, 'assistant'), value, 0);
  return true;
}

function* openBlock(
  stream: Stream,
  { opens, closes }: StreamRule,
  list: Accumulator,
  index: number,
  block: unknown,
): Steps<void> {
  if (isPause(stream)) yield;
  if (opens === null) return;
  stream.isInterleaved ||= stream.closing !== null;
  stream.closing = closes ?? null;
  if (index !== stream.blocks) stream.byIndex ??= copyOf(list);
  if (stream.byIndex !== null)
    yield* begin(stream, accumulatorOf(stream.byIndex, index, 'assistant'), block, opens, 0);
  yield* begin(stream, accumulatorOf(list, stream.blocks++, 'assistant'), block, opens, 0);
}

/** Returns the index members of the frame that the rule's position uses, if present. */
function indexesIn({ position }: StreamRule, frame: JsonObject): number[] {
  const members = (position ?? []).map((step) => ('member' in step ? frame[step.member] : undefined));
  return members.filter((index) => typeof index === 'number');
}

/** Like pushBlocks, for items and parts that deltas find by the type of their event and by indexes. */
function* beginByType(
  stream: Stream,
  rule: StreamRule,
  indexes: readonly number[],
  value: unknown,
  depth: number,
): Steps<void> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield* beginByType(stream, rule, [...indexes, i], item, depth);
    }
    return;
  }
  if (!isJsonObject(value) || depth > MAX_NESTED) return;
  const type = String(value['type']);
  const opened = Object.hasOwn(rule.opensByType ?? {}, type) ? rule.opensByType?.[type] : undefined;
  if (opened !== undefined && typeof value[opened[0]] === 'string') {
    const [member, event] = opened;
    let accumulator = accumulatorOfEvent(accumulatorOf(stream.root, 'delta', 'assistant'), event);
    for (const index of indexes) accumulator = accumulatorOf(accumulator, index, accumulator.role);
    accumulator.text += value[member] as string;
  }
  for (const name in value) {
    const inner = value[name];
    if (Array.isArray(inner) && stream.rest.rules.members.get(name)?.as === 'content')
      yield* beginByType(stream, rule, indexes, inner, depth + 1);
  }
}

const MAX_NESTED = 3;

/**
 * Starts an accumulator with the text of an opening frame, because clients append deltas to it: a text that is split
 * between the two is one text. The opening frame is also read as a whole.
 */
function* begin(
  stream: Stream,
  accumulator: Accumulator,
  value: unknown,
  opens: ReadonlySet<string>,
  depth: number,
): Steps<void> {
  if (isPause(stream)) yield;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  const { rules } = stream.rest;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      yield* begin(stream, accumulatorOf(accumulator, i, accumulator.role), value[i], opens, depth + 1);
    }
    return;
  }
  const block = value as JsonObject;
  const role = roleIn(rules, block, accumulator.role);
  // Data that was shown to the model: no delta continues it.
  if (role === 'tool_result' || role === 'document') return;
  accumulator.isThought ||= isThought(rules, block, role);
  for (const name in block) {
    const member = block[name];
    const below = (): Accumulator =>
      accumulatorOf(accumulator, name, roleOfMember(rules.members.get(name), role));
    if (typeof member === 'string' && opens.has(name)) below().text += member;
    else if (typeof member === 'object' && rules.members.get(name)?.as === 'content')
      yield* begin(stream, below(), member, opens, depth + 1);
  }
}

function roleIn(rules: Rules, block: JsonObject, around: SlotRole): SlotRole {
  const type = block['type'];
  return typeof type === 'string' ? roleOfBlock(rules, type, around) : around;
}

function isThought(rules: Rules, block: JsonObject, role: SlotRole): boolean {
  return (
    rules.types.get(String(block['type']))?.isThought === true || sealOf(rules, block, role, false) !== null
  );
}

const MAX_DEPTH = 100;
/** Label for the items of a list in order, regardless of their positions. */
export const EVERY = 'every';

/** Joins every text of a value, each with the accumulator of its path of names and indexes. */
export function* joinAll(
  stream: Stream,
  accumulator: Accumulator,
  value: unknown,
  depth: number,
): Steps<void> {
  if (isPause(stream)) yield;
  if (!isContainer(value)) {
    joinScalar(stream, accumulator, value);
  } else if (depth > MAX_DEPTH) {
    yield* readLeaves(stream.rest, value, '#stream:/delta', accumulator.role);
  } else if (Array.isArray(value)) {
    yield* joinList(stream, accumulator, value, depth);
  } else {
    for (const name in value as JsonObject) {
      const member = (value as JsonObject)[name];
      if (!joinScalarMember(stream, accumulator, name, member))
        yield* joinMember(stream, accumulator, name, member, depth + 1);
      else if (isPause(stream)) yield;
    }
  }
}

/** Joins a text or number. */
function joinScalar(stream: Stream, accumulator: Accumulator, value: unknown): void {
  if (typeof value === 'string') addTo(stream, accumulator, value);
  else if (typeof value === 'number') stream.rest.number('#stream:/delta', accumulator.role, value);
}

/** Also joins all items, as a client that ignores positions does. */
function* joinList(
  stream: Stream,
  accumulator: Accumulator,
  items: readonly unknown[],
  depth: number,
): Steps<void> {
  const hasIndex = isJsonObject(items[0]) && typeof items[0]['index'] === 'number';
  if (!hasIndex && (items.length > 1 || accumulator.inner?.has(EVERY) === true)) {
    accumulator.inner ??= new Map();
    let every = accumulator.inner.get(EVERY);
    if (every === undefined) {
      every = copyOf(accumulatorOf(accumulator, 0, accumulator.role));
      accumulator.inner.set(EVERY, every);
    }
    for (const item of items) yield* joinAll(stream, every, item, depth + 1);
  }
  for (let i = 0; i < items.length; i++) {
    const item: unknown = items[i];
    const index = isJsonObject(item) && typeof item['index'] === 'number' ? item['index'] : i;
    yield* joinAll(stream, accumulatorOf(accumulator, index, accumulator.role), item, depth + 1);
  }
}

function* joinMember(
  stream: Stream,
  accumulator: Accumulator,
  name: string,
  value: unknown,
  depth: number,
): Steps<void> {
  if (isPause(stream)) yield;
  const rule = noted(stream, name);
  if (rule?.isOwn === true && rule.role === 'document')
    yield* readLeaves(stream.rest, value, `#stream:/${name}`, 'document');
  else yield* joinAll(stream, memberOf(accumulator, rule, name), value, depth);
}

/** Does the same at once for what is no container; returns false for one. */
function joinScalarMember(stream: Stream, accumulator: Accumulator, name: string, value: unknown): boolean {
  if (isContainer(value)) return false;
  const rule = noted(stream, name);
  if (typeof value === 'number')
    stream.rest.number('#stream:/delta', roleOfMember(rule, accumulator.role), value);
  else if (typeof value === 'string' && rule?.isOwn === true && isLabel(rule)) noteLabel(stream, rule, value);
  else joinScalar(stream, memberOf(accumulator, rule, name), value);
  return true;
}

/** Returns the rule for a member; notes the name of one that has none. */
function noted(stream: Stream, name: string): Rule | undefined {
  const { rules } = stream.rest;
  const rule = rules.members.get(name);
  if (rule === undefined && !rules.words.names.has(name)) stream.labels.add(name);
  return rule;
}

function memberOf(accumulator: Accumulator, rule: Rule | undefined, name: string): Accumulator {
  const member = accumulatorOf(accumulator, name, roleOfMember(rule, accumulator.role));
  if (rule?.isThought === true) member.isThought = true;
  return member;
}

const isLabel = ({ as }: Rule): boolean => as === 'label' || as === 'identifier';

/** Notes values that repeat in every frame, or label it: each once. */
export function noteLabel(stream: Stream, rule: Pick<Rule, 'as' | 'isOwn'>, value: string): void {
  if (stream.rest.isKnownValue(value)) return;
  const isIdentifierHere = rule.isOwn && rule.as === 'identifier' && isIdentifier(value);
  (isIdentifierHere ? stream.identifiers : stream.labels).add(value);
}
