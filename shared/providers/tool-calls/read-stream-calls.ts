import { createParser } from 'eventsource-parser';
import { type EveryMember, finish, parseEveryMember, pausing, type Steps } from '../../text/index.ts';
import { piecesOf } from '../reading/read-stream.ts';
import { isJsonObject } from '../reading/text-collector.ts';
import { ChatDeltas } from './chat-deltas.ts';
import { OpenedBlocks } from './opened-blocks.ts';
import { OutputItems } from './output-items.ts';
import { type OwnClient, ownClientOf } from './own-client.ts';
import { PartialCalls } from './partial-calls.ts';
import { joinReadings } from './read-block.ts';
import { readWholeCalls } from './read-calls.ts';
import type { CallReading, ToolCall } from './tool-call.ts';

/** Strings of frames in which a call may begin: most streams contain none, and are not parsed again. */
const MAY_HOLD_CALLS =
  /"(?:tool_calls|function|custom|function_call|functionCall|toolUse|executableCode|executable_code|arguments|input|args)"|_(?:call|use)"|mcp_approval_request|\\u00[4-7]/;

/** Strings of frames that open blocks or continue a call: no other frame changes one, and most carry text. */
const MAY_CONTINUE =
  /"(?:content_block|partial_json|start|item|response)"|message_start|_(?:arguments|input|code)\.d/;

/**
 * Returns every call in the whole text of a stream. Pieces of a call are joined as the clients of its interface do, and
 * in every other way; frames that repeat it whole are read too.
 */
export function* readStreamCalls(body: string, framing: 'events' | 'lines', format = ''): Steps<ToolCall[]> {
  return MAY_HOLD_CALLS.test(body) ? yield* readFrameCalls(yield* frameTexts(body, framing), format) : [];
}

/** The data of a frame and the name of its event. */
export interface FrameText {
  readonly data: string;
  readonly event: string | undefined;
}

/** Lines are decoded events, which have names of their own. */
const LINE = 'line';

/** Returns the data of the frames of an event that begin or contain a call, or a delta of chat completions. */
export function callFrames(event: string): FrameText[] {
  if (!MAY_HOLD_CALLS.test(event)) return [];
  return finish(frameTexts(event, 'events')).filter((frame) =>
    finish(readFrameCalls([frame], '')).some(
      ({ name, path }) => name !== '' || !path.startsWith('#stream:/content/'),
    ),
  );
}

export function* frameTexts(body: string, framing: 'events' | 'lines'): Steps<FrameText[]> {
  if (framing === 'lines') return body.split('\n').map((data) => ({ data, event: LINE }));
  const texts: FrameText[] = [];
  const parser = createParser({ onEvent: ({ data, event }) => texts.push({ data, event }) });
  const text = body.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  yield* pausing(piecesOf(text), (piece) => parser.feed(piece), 1);
  // In a truncated stream the rest counts as a frame.
  parser.feed('\n\n');
  return texts;
}

interface Frame extends EveryMember {
  readonly event: string | undefined;
}

function* framesIn(list: readonly FrameText[]): Steps<Frame[]> {
  const frames: Frame[] = [];
  yield* pausing(list, ({ data, event }) => {
    const read = MAY_HOLD_CALLS.test(data) || MAY_CONTINUE.test(data) ? parsed(data) : null;
    if (read !== null) frames.push({ ...read, event });
  });
  return frames;
}

function* readFrameCalls(texts: readonly FrameText[], format: string): Steps<ToolCall[]> {
  const end = texts.findIndex(({ data }) => data.startsWith(END));
  const frames = yield* framesIn(end === -1 ? texts : texts.slice(0, end));
  const rest = end === -1 ? [] : yield* framesIn(texts.slice(end));
  const all = [...frames, ...rest];
  // Clients of OpenAI end there, others read on.
  const runs = rest.length === 0 ? [all] : format.startsWith('openai-') ? [frames, all] : [all, frames];
  const calls = new Map<string, CallReading[]>();
  for (const run of runs) yield* addReadings(calls, run, format);
  return withoutRepetitions([...calls.values()].flatMap((readings) => joinReadings(readings) ?? []));
}

const END = '[DONE]';

function* addReadings(
  calls: Map<string, CallReading[]>,
  frames: readonly Frame[],
  format: string,
): Steps<void> {
  const last = frames.map(({ value, event }) => ({ value, event }));
  // A reader that takes the first of repeated members assembles other calls from the same frames.
  const first = frames.map(({ value, repeated, event }) => ({
    ...{ value: repeated === null ? value : repeated.first, event },
  }));
  const isRepeating = frames.some(({ repeated }) => repeated !== null);
  for (const view of isRepeating ? [last, first] : [last])
    for (const [place, readings] of yield* assemble(view, format))
      calls.set(place, [...(calls.get(place) ?? []), ...readings]);
}

function parsed(text: string): EveryMember | null {
  try {
    return parseEveryMember(text);
  } catch {
    return null;
  }
}

/** Returns the readings of each call by its place. */
function* assemble(
  frames: readonly { readonly value: unknown; readonly event: string | undefined }[],
  format: string,
): Steps<Map<string, CallReading[]>> {
  const assembler = new Assembler(ownClientOf(format));
  for (const [at, { value, event }] of frames.entries()) {
    if (!Array.isArray(value)) yield* assembler.read(value, String(at), event);
    else for (const [i, one] of value.entries()) yield* assembler.read(one, `${at}/${i}`, event);
    if (at % STRIDE === 0) yield;
  }
  return yield* assembler.finish(format);
}

/** Frames that are read between two pauses. */
const STRIDE = 64;

class Assembler {
  private readonly own: OwnClient;
  private readonly chat = new ChatDeltas();
  private readonly blocks: OpenedBlocks;
  private readonly items: OutputItems;
  private readonly partial = new PartialCalls();
  private readonly whole = new Map<string, CallReading[]>();

  constructor(own: OwnClient) {
    this.own = own;
    this.blocks = new OpenedBlocks(own);
    this.items = new OutputItems(own);
  }

  *read(frame: unknown, at: string, event: string | undefined): Steps<void> {
    if (!isJsonObject(frame)) return;
    const { choices, delta, content_block: opened, start, item, response, ...rest } = frame;
    yield* this.blocks.read(frame, event);
    yield* this.items.read(frame);
    if (Array.isArray(choices)) yield* this.readChoices(choices, at);
    const { toolUse: _, ...other } = isJsonObject(delta) ? delta : {};
    const { output, ...envelope } = isJsonObject(response) ? response : {};
    yield* this.addWhole([rest, other, envelope], at);
    for (const one of [opened, start, item, response, delta])
      if (Array.isArray(one)) yield* this.addWhole(one, at);
    if (!Array.isArray(choices)) yield* this.addWhole(choices, at);
    if (!Array.isArray(output)) yield* this.addWhole(output, at);
  }

  private *readChoices(choices: readonly unknown[], frame: string): Steps<void> {
    for (const [at, choice] of choices.entries()) {
      if (!isJsonObject(choice)) continue;
      const { delta, ...rest } = choice;
      const index = `choices/${String(choice['index'] ?? at)}`;
      if (!isJsonObject(delta)) {
        yield* this.addWhole(choice, `${frame}/${index}`);
        continue;
      }
      this.chat.add(index, delta, at === 0);
      const { tool_calls: calls, function_call: _, ...other } = delta;
      yield* this.addWhole([rest, other, Array.isArray(calls) ? null : calls], `${frame}/${index}`);
    }
  }

  private *addWhole(value: unknown, at: string): Steps<void> {
    if (typeof value !== 'object' || value === null) return;
    const path = `#stream:/frames/${at}/${this.whole.size}`;
    const calls = yield* readWholeCalls(value, this.own, path, 'elsewhere', this.partial);
    for (const [i, readings] of calls.entries()) this.whole.set(`${path}/${i}`, readings);
  }

  *finish(format: string): Steps<Map<string, CallReading[]>> {
    const calls = new Map<string, CallReading[]>(yield* this.items.finish());
    const blocks = yield* this.blocks.finish(format !== 'bedrock-converse');
    for (const [at, readings] of blocks.entries()) calls.set(`content/${at}`, readings);
    yield;
    for (const [place, readings] of yield* this.chat.finish(this.own)) calls.set(place, readings);
    for (const [place, readings] of this.whole) calls.set(place, readings);
    for (const [at, readings] of (yield* this.partial.finish()).entries())
      calls.set(`partial/${at}`, readings);
    return calls;
  }
}

/** Several frames may contain the same call with one id. */
function withoutRepetitions(calls: readonly ToolCall[]): ToolCall[] {
  const seen = new Set<string>();
  return calls.filter(({ id, name, spelling, path, others }) => {
    const key = JSON.stringify([id, name, spelling ?? path]);
    return seen.size !== seen.add(key).size || others.length > 0;
  });
}
