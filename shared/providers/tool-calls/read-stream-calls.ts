import { createParser } from 'eventsource-parser';
import { type EveryMember, parseEveryMember } from '../../text/index.ts';
import { isJsonObject } from '../reading/text-collector.ts';
import { ChatDeltas } from './chat-deltas.ts';
import { OpenedBlocks } from './opened-blocks.ts';
import { OutputItems } from './output-items.ts';
import { type OwnClient, ownClientOf } from './own-client.ts';
import { joinReadings } from './read-block.ts';
import { readCallsIn } from './read-calls.ts';
import type { CallReading, ToolCall } from './tool-call.ts';

/** Strings of frames in which a call may begin: most streams contain none, and are not parsed again. */
const MAY_HOLD_CALLS =
  /"(?:tool_calls|function|custom|function_call|functionCall|toolUse|executableCode|executable_code|arguments|input|args)"|_(?:call|use)"|mcp_approval_request|\\u00[4-7]/;

/**
 * Returns every call in the whole text of a stream. Pieces of a call are joined as the clients of its interface do, and
 * in every other way; frames that repeat it whole are read too.
 */
export function readStreamCalls(body: string, framing: 'events' | 'lines', format = ''): ToolCall[] {
  return MAY_HOLD_CALLS.test(body) ? readFrameCalls(frameTexts(body, framing), format) : [];
}

/** Returns the data of the frames of an event that begin or contain a call, or a delta of chat completions. */
export function callFrames(event: string): string[] {
  if (!MAY_HOLD_CALLS.test(event)) return [];
  return frameTexts(event, 'events').filter((data) =>
    readFrameCalls([data], '').some(({ name, path }) => name !== '' || !path.startsWith('#stream:/content/')),
  );
}

export function frameTexts(body: string, framing: 'events' | 'lines'): string[] {
  if (framing === 'lines') return body.split('\n');
  const texts: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => texts.push(data) });
  parser.feed(body.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
  // In a truncated stream the rest counts as a frame.
  parser.feed('\n\n');
  return texts;
}

function readFrameCalls(texts: readonly string[], format: string): ToolCall[] {
  const frames = texts.flatMap((text) => parsed(text) ?? []);
  const calls = assemble(
    frames.map(({ value }) => value),
    format,
  );
  // A reader that takes the first of repeated members assembles other calls from the same frames.
  if (frames.some(({ repeated }) => repeated !== null)) {
    const first = assemble(
      frames.map(({ value, repeated }) => (repeated === null ? value : repeated.first)),
      format,
    );
    for (const [place, readings] of first) calls.set(place, [...(calls.get(place) ?? []), ...readings]);
  }
  return withoutRepetitions([...calls.values()].flatMap((readings) => joinReadings(readings) ?? []));
}

function parsed(text: string): EveryMember | null {
  try {
    return parseEveryMember(text);
  } catch {
    return null;
  }
}

/** Returns the readings of each call by its place. */
function assemble(frames: readonly unknown[], format: string): Map<string, CallReading[]> {
  const assembler = new Assembler(ownClientOf(format));
  for (const [at, frame] of frames.entries()) {
    if (!Array.isArray(frame)) assembler.read(frame, String(at));
    else for (const [i, one] of frame.entries()) assembler.read(one, `${at}/${i}`);
  }
  return assembler.finish(format);
}

class Assembler {
  private readonly own: OwnClient;
  private readonly chat = new ChatDeltas();
  private readonly blocks: OpenedBlocks;
  private readonly items: OutputItems;
  private readonly whole = new Map<string, CallReading[]>();

  constructor(own: OwnClient) {
    this.own = own;
    this.blocks = new OpenedBlocks(own);
    this.items = new OutputItems(own);
  }

  read(frame: unknown, at: string): void {
    if (!isJsonObject(frame)) return;
    const { choices, delta, content_block: opened, start, item, response, ...rest } = frame;
    this.blocks.read(frame);
    this.items.read(frame);
    if (Array.isArray(choices)) this.readChoices(choices, at);
    const { toolUse: _, ...other } = isJsonObject(delta) ? delta : {};
    const { output, ...envelope } = isJsonObject(response) ? response : {};
    this.addWhole([rest, other, envelope], at);
    for (const one of [opened, start, item, response, delta]) if (Array.isArray(one)) this.addWhole(one, at);
    if (!Array.isArray(choices)) this.addWhole(choices, at);
    if (!Array.isArray(output)) this.addWhole(output, at);
  }

  private readChoices(choices: readonly unknown[], frame: string): void {
    for (const [at, choice] of choices.entries()) {
      if (!isJsonObject(choice)) continue;
      const { delta, ...rest } = choice;
      const index = `choices/${String(choice['index'] ?? at)}`;
      if (!isJsonObject(delta)) {
        this.addWhole(choice, `${frame}/${index}`);
        continue;
      }
      this.chat.add(index, delta);
      const { tool_calls: calls, function_call: _, ...other } = delta;
      this.addWhole([rest, other, Array.isArray(calls) ? null : calls], `${frame}/${index}`);
    }
  }

  private addWhole(value: unknown, at: string): void {
    if (typeof value !== 'object' || value === null) return;
    const path = `#stream:/frames/${at}/${this.whole.size}`;
    for (const [i, readings] of readCallsIn(value, this.own, path).entries())
      this.whole.set(`${path}/${i}`, readings);
  }

  finish(format: string): Map<string, CallReading[]> {
    const calls = new Map<string, CallReading[]>(this.items.finish());
    for (const [at, readings] of this.blocks.finish(format !== 'bedrock-converse').entries())
      calls.set(`content/${at}`, readings);
    for (const [place, readings] of this.chat.finish(this.own)) calls.set(place, readings);
    for (const [place, readings] of this.whole) calls.set(place, readings);
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
