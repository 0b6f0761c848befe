import { type EveryMember, parseEveryMember, type Steps } from '../../text/index.ts';
import { appendDelta, joinAll, noteLabel } from './append-delta.ts';
import { addByTemplate, sizeWithoutAccumulators, templateOf } from './frame-template.ts';
import { isParameter } from './numbers.ts';
import { readByRule } from './read-body.ts';
import { readData } from './read-media.ts';
import { collectTokens } from './read-tokens.ts';
import { isThoughtEvent, roleOfEvent } from './roles.ts';
import type { StreamRule } from './rules.ts';
import { accumulatorOf, type Stream } from './stream-accumulators.ts';
import { isJsonObject, type JsonObject, readLeaves } from './text-collector.ts';

/**
 * Reads one frame: continues its texts where the format's table says so, otherwise by the names of their members. Only
 * whole texts and labels of the format's own table are not joined with those of other frames.
 */
export function* readFrame(stream: Stream, data: string): Steps<void> {
  stream.added.text = '';
  if (data === '[DONE]' || (stream.template !== null && addByTemplate(stream.template, data))) return;
  stream.template = null;
  let frame: EveryMember;
  try {
    frame = parseEveryMember(data);
  } catch {
    accumulatorOf(stream.root, 'data', 'assistant').text += data;
    return;
  }
  stream.rest.from(() => data);
  const { added } = stream;
  added.times = 0;
  const size = sizeWithoutAccumulators(stream);
  const { value, repeated } = frame;
  const isOnlyDelta = yield* readFrameValue(
    stream,
    stream.takesFirst && repeated !== null ? repeated.first : value,
  );
  if (repeated !== null) {
    stream.isRepeating = true;
    yield* readLeaves(stream.rest, repeated.all, '#stream:/repeated', 'assistant');
  } else if (isOnlyDelta && added.times === 1 && sizeWithoutAccumulators(stream) === size)
    stream.template = templateOf(data, added.accumulator, added.text);
}

/** Returns false if the frame is more than deltas: its content is then read in more than one way. */
export function* readFrameValue(stream: Stream, frame: unknown): Steps<boolean> {
  if (isJsonObject(frame)) return yield* readMembers(stream, frame);
  yield* readLeaves(stream.rest, frame, '#stream:', 'assistant');
  return false;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for every member of every frame of a stream
function* readMembers(stream: Stream, frame: JsonObject): Steps<boolean> {
  const { rules } = stream.rest;
  const type = typeof frame['type'] === 'string' ? frame['type'] : '';
  if (isThoughtEvent(type)) stream.rest.thoughts.push('');
  let isOnlyDelta = true;
  if (type === stream.closing) stream.closing = null;
  if (rules.ends?.[0] === type && frame[rules.ends[1]] === stream.ended) stream.ended++;
  for (const name in frame) {
    const value = frame[name];
    const ofEvent = type === '' ? undefined : rules.events.get(type)?.get(name);
    const rule = ruleAmong(ofEvent, rules.frame.get(name));
    if (name === 'model' && typeof value === 'string') stream.model ??= value;
    if (rule?.as !== undefined) yield* readWhole(stream, rule, name, value, type);
    if (rule != null && rule.position !== null) {
      if (!(yield* appendDelta(stream, rule, { frame, type, base: stream.root }, value))) isOnlyDelta = false;
    }
    // The type of a frame determines its author. Any other rule of another format only adds to what is read.
    if (rule !== undefined && (rule.isOwn || rule === ofEvent || rule.each !== undefined)) continue;
    if (rule?.as !== undefined) isOnlyDelta = false;
    if (rule === undefined && !rules.words.names.has(name)) stream.labels.add(name);
    if (typeof value !== 'number' || !isParameter(name, value))
      yield* joinAll(stream, accumulatorOf(stream.root, name, 'assistant'), value, 0);
  }
  return isOnlyDelta;
}

/** The event's rule takes precedence, unless it is another format's and the rule for any frame is the format's own. */
function ruleAmong(ofEvent: StreamRule | undefined, ofAny: StreamRule | undefined): StreamRule | undefined {
  return ofEvent === undefined || (ofAny?.isOwn === true && !ofEvent.isOwn) ? ofAny : ofEvent;
}

function* readWhole(
  stream: Stream,
  rule: StreamRule,
  name: string,
  value: unknown,
  type: string,
): Steps<void> {
  const path = `#stream:/${name}`;
  if (rule.as === 'tokens') collectTokens(stream.tokens, stream.rest.rules.words, value);
  else if (typeof value === 'number') stream.rest.number(path, roleOfEvent(type), value);
  else if (typeof value === 'string') {
    if (rule.as === 'label' || rule.as === 'identifier') noteLabel(stream, rule, value);
    else if (rule.as === 'picture') yield* readData(stream.rest, value, path, 'image/png', 'media');
    else yield* stream.rest.text(path, roleOfEvent(type), value);
  } else {
    if (isJsonObject(value) && typeof value['model'] === 'string') stream.model ??= value['model'];
    yield* readByRule(stream.rest, rule, value, path);
  }
}
