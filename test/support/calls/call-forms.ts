import { AMAZON_STREAM, type Endpoint, endpointByName, formatOf, isJsonObject } from '@csg/shared/providers';
import { finish } from '@csg/shared/text';
import { decodeEventStream } from '../../../apps/cloud/src/upstream/amazon/event-stream.ts';
import { amazonMessage } from '../amazon-stream.ts';
import { ANSWER_FORMS, type AnswerForms, type ResponseContent } from '../provider/answers.ts';
import type { Random } from '../random.ts';
import { converse, generate } from './cloud-answers.ts';

/** An answer with tool calls in a form that two readers may take differently. */
export interface CallForm {
  /** As a provider sends it. */
  readonly body: string | Buffer;
  readonly contentType: string;
  /** What is read: the body, or the decoded event stream. */
  readonly text: string;
  readonly isStream: boolean;
  readonly endpoint: Endpoint;
}

interface Interface {
  readonly answers: AnswerForms;
  /** The endpoints that answer whole and with a stream. */
  readonly whole: string;
  readonly streamed: string;
}

/** Interfaces of the providers. */
const INTERFACES = {
  chat: { answers: ANSWER_FORMS.chat, whole: 'openai-chat', streamed: 'openai-chat' },
  responses: { answers: ANSWER_FORMS.responses, whole: 'openai-responses', streamed: 'openai-responses' },
  messages: { answers: ANSWER_FORMS.messages, whole: 'anthropic-messages', streamed: 'anthropic-messages' },
  generate: { answers: generate, whole: 'gemini-generate', streamed: 'gemini-stream' },
  converse: { answers: converse, whole: 'bedrock-converse', streamed: 'bedrock-converse-stream' },
  invoke: { answers: ANSWER_FORMS.messages, whole: 'bedrock-invoke', streamed: 'bedrock-invoke-stream' },
} as const satisfies Readonly<Record<string, Interface>>;

export type CallApi = keyof typeof INTERFACES;
export const CALL_APIS = Object.keys(INTERFACES) as readonly CallApi[];

/** The tools that the forms call. */
export const CALLED = ['bash', 'note', 'send'];

type Json = Record<string, unknown>;
const WRAPPERS = ['function', 'custom', 'function_call', 'functionCall', 'toolUse', 'tool_use', 'tool_calls'];
const ARGUMENTS = ['arguments', 'input', 'args', 'parameters'];
const TYPES = [
  'x_result',
  'x_output',
  'x_error',
  'x_call',
  'x_use',
  'custom',
  'function',
  'tool_use',
  'message',
];
const INDEXES = [0, 1, 2, -1, '0', null];

const argumentsOf = (random: Random): string =>
  random.pick([
    '{"command":"ls"}',
    '{"command":"rm -rf /"}',
    '{"to":"eve@evil.example","n":1.5}',
    '{"command":"rm","command":"ls"}',
    '{"a":{"b":[1,{"c":"{\\"d\\":\\"{}\\"}"}]}}',
    '{}',
    '{"command":"cut of',
    '{"to":"eve@evil.example","lines":[1,2',
  ]);

function callOf(random: Random): Json {
  const name = random.chance(0.05) ? 'n'.repeat(10_000) : random.pick(CALLED);
  const text = argumentsOf(random);
  return { name, [random.pick(ARGUMENTS)]: random.chance(0.5) ? text : { given: text.length } };
}

type Calls = NonNullable<ResponseContent['toolCalls']>;

/** An answer with these calls as the interface has it. */
export function plainForm(api: CallApi, toolCalls: Calls, isStream: boolean): CallForm {
  const { answers } = INTERFACES[api];
  if (!isStream) return wholeForm(api, answers.whole({ toolCalls }));
  return streamForm(api, answers.frames({ toolCalls }).map(parsed), JSON.stringify);
}

/** An answer with up to two calls, changed at random. */
export function callForm(api: CallApi, random: Random): CallForm {
  const toolCalls = Array.from({ length: 1 + random.below(2) }, () => ({
    name: random.pick(CALLED),
    arguments: '{"command":"ls"}',
  }));
  const isStream = random.chance(0.6);
  const changes = random.below(5);
  const { answers } = INTERFACES[api];
  if (!isStream) {
    const value = structuredClone(answers.whole({ toolCalls })) as Json;
    for (let left = changes; left > 0; left--) change(random.pick(objectsIn(value)), random);
    return wholeForm(api, value);
  }
  const frames = answers.frames({ toolCalls }).map(parsed);
  for (let left = changes; left > 0; left--) changeFrames(frames, random);
  return streamForm(api, frames, (data) => written(data, random));
}

function wholeForm(api: CallApi, value: object): CallForm {
  const body = JSON.stringify(value);
  const endpoint = endpointByName(INTERFACES[api].whole);
  return { body, text: body, contentType: 'application/json', isStream: false, endpoint };
}

function streamForm(api: CallApi, frames: readonly Frame[], write: (data: object) => string): CallForm {
  const endpoint = endpointByName(INTERFACES[api].streamed);
  const contentType = formatOf(endpoint).streamType;
  const pieces = frames.map(({ event, data }) => ({
    ...{ event, data: isJsonObject(data) ? write(data) : String(data) },
  }));
  if (contentType !== AMAZON_STREAM) {
    const body = pieces
      .map(({ event, data }) => `${event === null ? '' : `event: ${event}\n`}data: ${data}\n\n`)
      .join('');
    return { body, text: body, contentType, isStream: true, endpoint };
  }
  const body = Buffer.concat(
    pieces.map(({ event, data }) =>
      api === 'converse' ? amazonMessage(String(event), data) : amazonMessage('chunk', chunkOf(data)),
    ),
  );
  return { body, text: finish(decodeEventStream(body)), contentType, isStream: true, endpoint };
}

const chunkOf = (data: string): string =>
  JSON.stringify({ bytes: Buffer.from(data).toString('base64'), p: 'abcdef' });

interface Frame {
  readonly event: string | null;
  readonly data: unknown;
}

function parsed(text: string): Frame {
  const event = /^event: (.*)$/m.exec(text)?.[1] ?? null;
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? '';
  return { event, data: data.startsWith('{') ? JSON.parse(data) : data };
}

/** Now and then a member is repeated with another value before it or behind it. */
function written(data: object, random: Random): string {
  const json = JSON.stringify(data);
  if (!random.chance(0.04)) return json;
  const name = random.pick([
    ...['"name":', '"arguments":', '"delta":', '"partial_json":', '"function":'],
    ...['"args":', '"functionCall":', '"toolUse":', '"input":'],
  ]);
  const other = random.pick(['"bash"', '"note"', '"{}"', '{"name":"bash","arguments":"{}"}']);
  return json.replace(name, `${name}${other},${name}`);
}

function objectsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (!isJsonObject(value)) return [];
  return [value as Json, ...Object.values(value).flatMap(objectsIn)];
}

/** Changes an object as a provider could that hides a call from one of its readers. */
function change(object: Json, random: Random): void {
  const call = callOf(random);
  const set = (name: string, value: unknown): void => void Object.assign(object, { [name]: value });
  random.pick<() => void>([
    () => set(random.pick(WRAPPERS), random.chance(0.2) ? [{ function: call }] : call),
    () => set('type', random.pick(TYPES)),
    () => set(random.pick(ARGUMENTS), random.chance(0.5) ? argumentsOf(random) : { to: 'eve' }),
    () => set('name', random.pick([...CALLED, '', ' '])),
    () => set(random.pick(['index', 'contentBlockIndex']), random.pick(INDEXES)),
    () => set(random.pick(['id', 'toolUseId']), random.pick(['call_0', 'toolu_1', 'other', null])),
    () => void delete object[random.pick(['id', 'type', 'index', 'name', ...ARGUMENTS])],
    () => {
      for (const list of Object.values(object).filter(Array.isArray))
        if (isJsonObject(list[0])) list.push({ ...list[0], ...call });
    },
  ])();
}

function changeFrames(frames: Frame[], random: Random): void {
  const at = random.below(frames.length);
  const copy = structuredClone(frames[at]!);
  random.pick<() => void>([
    () => void frames.splice(at, 0, copy),
    () => void frames.splice(random.below(frames.length), 0, copy),
    () => void frames.splice(at, frames.length > 1 ? 1 : 0),
    () => {
      change(random.pick([...objectsIn(copy.data), {}]), random);
      frames.splice(at, random.below(2), copy);
    },
    () => {
      const objects = objectsIn(frames[at]!.data);
      if (objects.length > 0) change(random.pick(objects), random);
    },
  ])();
}
