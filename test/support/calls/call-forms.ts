import { isJsonObject } from '@csg/shared/providers';
import { ANSWER_FORMS } from '../provider/answers.ts';
import type { Random } from '../random.ts';

/** An answer with tool calls in a form that two readers may take differently. */
export interface CallForm {
  readonly body: string;
  readonly isStream: boolean;
}

export type CallApi = 'chat' | 'messages' | 'responses';
export const CALL_APIS: readonly CallApi[] = ['chat', 'messages', 'responses'];

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
  ]);

function callOf(random: Random): Json {
  const name = random.chance(0.05) ? 'n'.repeat(10_000) : random.pick(CALLED);
  const text = argumentsOf(random);
  return { name, [random.pick(ARGUMENTS)]: random.chance(0.5) ? text : { given: text.length } };
}

export function callForm(api: CallApi, random: Random): CallForm {
  const toolCalls = Array.from({ length: 1 + random.below(2) }, () => ({
    name: random.pick(CALLED),
    arguments: '{"command":"ls"}',
  }));
  const isStream = random.chance(0.6);
  const changes = random.below(5);
  const forms = ANSWER_FORMS[api];
  if (!isStream) {
    const body = structuredClone(forms.whole({ toolCalls })) as Json;
    for (let left = changes; left > 0; left--) change(random.pick(objectsIn(body)), random);
    return { body: JSON.stringify(body), isStream };
  }
  const frames = forms.frames({ toolCalls }).map(parsed);
  for (let left = changes; left > 0; left--) changeFrames(frames, random);
  return { body: frames.map((frame) => written(frame, random)).join(''), isStream };
}

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
function written({ event, data }: Frame, random: Random): string {
  const head = event === null ? '' : `event: ${event}\n`;
  if (!isJsonObject(data)) return `${head}data: ${String(data)}\n\n`;
  let json = JSON.stringify(data);
  if (random.chance(0.04)) {
    const name = random.pick(['"name":', '"arguments":', '"delta":', '"partial_json":', '"function":']);
    const other = random.pick(['"bash"', '"note"', '"{}"', '{"name":"bash","arguments":"{}"}']);
    json = json.replace(name, `${name}${other},${name}`);
  }
  return `${head}data: ${json}\n\n`;
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
    () => set('index', random.pick(INDEXES)),
    () => set('id', random.pick(['call_0', 'toolu_1', 'other', null])),
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
    () => void frames.splice(at, 1),
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
