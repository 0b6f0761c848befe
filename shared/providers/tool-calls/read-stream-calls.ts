import { createParser } from 'eventsource-parser';
import { parseJson } from '../../text/index.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import { callIn, readToolCalls } from './read-calls.ts';
import { type ToolCall, toToolCall } from './tool-call.ts';

/** Strings of frames in which a call may begin: most streams contain none, and are not parsed again. */
const MAY_HOLD_CALLS =
  /"(?:tool_calls|function|function_call|functionCall|toolUse|executableCode|executable_code)"|_(?:call|use)"|mcp_approval_request|\\u00[4-7]/;

/**
 * Returns every call in the whole text of a stream. Pieces of a call are joined as the provider's clients do; frames
 * that repeat it whole are read too, so that a call is found whichever of them a client uses.
 */
export function readStreamCalls(body: string, framing: 'events' | 'lines'): ToolCall[] {
  if (!MAY_HOLD_CALLS.test(body)) return [];
  const calls: ToolCall[] = [];
  const pieces = new Map<string, Pieces>();
  for (const frame of framesOf(body, framing)) {
    if (Array.isArray(frame)) for (const one of frame) readFrame(calls, pieces, one);
    else readFrame(calls, pieces, frame);
  }
  for (const [key, { id, name, text, isExact }] of pieces) {
    // Deltas of other events have no name either; those of chat completions are calls, which some clients repair.
    if (name === '' && !(key.startsWith('choices/') && text !== '')) continue;
    const call = toToolCall(`#stream:/${key}`, id, name, text);
    calls.push(isExact ? call : { ...call, spelling: null });
  }
  return withoutRepetitions(calls);
}

/** True if one event begins or contains a call. */
export function beginsCall(event: string): boolean {
  return MAY_HOLD_CALLS.test(event) && readStreamCalls(event, 'events').length > 0;
}

/** Positions of the calls that begin and end with one event. */
export interface CallEdges {
  readonly begun: readonly string[];
  readonly ended: readonly string[];
}

/** Messages report the end of each block, Responses of each item. A call in any other event ends with the response. */
export function readCallEdges(event: string): CallEdges {
  const begun: string[] = [];
  const ended: string[] = [];
  for (const frame of framesOf(event, 'events')) {
    if (!isJsonObject(frame)) continue;
    const type = String(frame['type']);
    const place = String(frame['index'] ?? frame['contentBlockIndex'] ?? frame['output_index']);
    const hasCall = beginsCall(`data: ${JSON.stringify(frame)}\n\n`);
    if (hasCall) begun.push(ENDS.has(type) || BEGINS.has(type) ? place : 'response');
    if (ENDS.has(type)) ended.push(place);
  }
  return { begun, ended };
}

const BEGINS: ReadonlySet<string> = new Set([
  'content_block_start',
  'contentBlockStart',
  'response.output_item.added',
]);
const ENDS: ReadonlySet<string> = new Set([
  'content_block_stop',
  'contentBlockStop',
  'response.output_item.done',
]);

interface Pieces {
  id: unknown;
  name: string;
  text: string;
  /** False: a part of it was not text, and a number in it lost digits by being parsed. */
  isExact: boolean;
}

function framesOf(body: string, framing: 'events' | 'lines'): unknown[] {
  const texts: string[] = [];
  if (framing === 'lines') texts.push(...body.split('\n'));
  else {
    const parser = createParser({ onEvent: ({ data }) => texts.push(data) });
    parser.feed(body.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
    parser.feed('\n\n');
  }
  return texts.map(parsed);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function readFrame(calls: ToolCall[], pieces: Map<string, Pieces>, frame: unknown): void {
  if (!isJsonObject(frame)) return;
  readChoices(calls, pieces, frame['choices']);
  readBlock(pieces, frame);
  readItem(pieces, frame);
  const { choices: _, delta: __, content_block: ___, start: ____, ...rest } = frame;
  // The arguments of an item that was only opened follow later.
  if (frame['type'] !== 'response.output_item.added') calls.push(...readToolCalls(rest));
}

/** Chat completions: `choices[].delta.tool_calls[]`, identified by their index. */
function readChoices(calls: ToolCall[], pieces: Map<string, Pieces>, choices: unknown): void {
  if (!Array.isArray(choices)) return;
  for (const [at, choice] of choices.entries()) {
    if (!isJsonObject(choice)) continue;
    const { delta, ...rest } = choice;
    calls.push(...readToolCalls(rest));
    if (isJsonObject(delta)) readDelta(pieces, delta, `choices/${String(choice['index'] ?? at)}`);
  }
}

/** `base`: identifies the choice. */
function readDelta(pieces: Map<string, Pieces>, delta: JsonObject, base: string): void {
  const list: unknown = delta['tool_calls'];
  for (const [i, call] of (Array.isArray(list) ? list : []).entries()) {
    if (!isJsonObject(call)) continue;
    const inner = call['function'] ?? call['custom'];
    const key = `${base}/tool_calls/${String(call['index'] ?? i)}`;
    if (isJsonObject(inner))
      add(pieces, key, call['id'], inner['name'], inner['arguments'] ?? inner['input']);
  }
  const alone = delta['function_call'];
  if (isJsonObject(alone)) add(pieces, `${base}/function_call`, null, alone['name'], alone['arguments']);
}

/** Messages and Converse: a block is opened with its name, and deltas contain the JSON of its input. */
function readBlock(pieces: Map<string, Pieces>, frame: JsonObject): void {
  const key = `content/${String(frame['index'] ?? frame['contentBlockIndex'] ?? 0)}`;
  const opened = frame['content_block'] ?? frame['start'];
  if (isJsonObject(opened)) {
    const call = callIn(opened, typeof opened['type'] === 'string' ? opened['type'] : '', '');
    if (call !== null) {
      const hasArguments = Object.keys(call.arguments).length > 0;
      const text = hasArguments ? (call.spelling ?? JSON.stringify(call.arguments)) : '';
      pieces.set(key, { id: call.id, name: call.name, text, isExact: call.spelling !== null });
    }
  }
  const delta = frame['delta'];
  if (!isJsonObject(delta)) return;
  const inner = delta['toolUse'];
  add(pieces, key, null, '', isJsonObject(inner) ? inner['input'] : delta['partial_json']);
}

/** Responses: an item is opened, and events contain its arguments, input or code. */
function readItem(pieces: Map<string, Pieces>, frame: JsonObject): void {
  const type = String(frame['type']);
  const key = `output/${String(frame['output_index'] ?? frame['item_id'])}`;
  const item = frame['item'];
  if (type === 'response.output_item.added' && isJsonObject(item)) {
    const call = callIn(item, String(item['type']), '');
    const given = item['arguments'] ?? item['input'] ?? item['code'];
    if (call !== null)
      pieces.set(key, {
        id: call.id,
        name: call.name,
        text: typeof given === 'string' ? given : '',
        isExact: true,
      });
  } else if (/_(?:arguments|input|code)\.delta$/.test(type)) add(pieces, key, null, '', frame['delta']);
  else if (/_(?:arguments|input|code)\.done$/.test(type)) {
    const whole = frame['arguments'] ?? frame['input'] ?? frame['code'];
    const opened = pieces.get(key);
    if (typeof whole === 'string' && opened !== undefined && whole !== opened.text)
      pieces.set(`${key}/done`, { ...opened, text: whole });
  }
}

function add(pieces: Map<string, Pieces>, key: string, id: unknown, name: unknown, text: unknown): void {
  if (typeof name !== 'string' && typeof text !== 'string' && !isJsonObject(text)) return;
  const piece = pieces.get(key) ?? { id: null, name: '', text: '', isExact: true };
  piece.id ??= id ?? null;
  if (typeof name === 'string') piece.name += name;
  if (typeof text === 'string') piece.text += text;
  // Some compatible servers send arguments as an object.
  else if (isJsonObject(text)) {
    piece.text += JSON.stringify(text);
    piece.isExact &&= toToolCall('', null, '', text).spelling !== null;
  }
  pieces.set(key, piece);
}

/** Several frames may contain the same call with one id. */
function withoutRepetitions(calls: readonly ToolCall[]): ToolCall[] {
  const seen = new Set<string>();
  return calls.filter(({ id, name, spelling, path }) => {
    const key = JSON.stringify([id, name, spelling ?? path]);
    return seen.size !== seen.add(key).size;
  });
}
