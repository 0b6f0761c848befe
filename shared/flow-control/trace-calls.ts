import { type DefinedTool, readDefinedTools, readResultTools } from '../providers/index.ts';
import type { Conversation } from '../text/index.ts';
import { argumentFields } from './argument-fields.ts';
import { urlsIn, valuesIn } from './argument-values.ts';
import { carriedFrom } from './carried-values.ts';
import { confirmedTexts } from './confirmed-texts.ts';
import { effectOf } from './effects.ts';
import { createValueFinder } from './find-values.ts';
import { placeOf } from './places.ts';
import { sourceTexts } from './source-texts.ts';
import { nameFinder, returnsRecords, vouchedScalars } from './trusted-records.ts';
import type { ArgumentValue, Flow, FlowSource, SourceText, ValueKind } from './types.ts';

/** A call whose arguments are traced. */
export interface TracedCall {
  readonly path: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface TraceInput {
  readonly calls: readonly TracedCall[];
  /** What was said before the calls. */
  readonly conversation: Conversation;
  /** The body that it was read from; it defines the tools and says which of them returned what. */
  readonly body: unknown;
  /** Further tools with effects, and tools that return the organization's own records. */
  readonly effectTools: readonly string[];
  readonly recordTools: readonly string[];
}

interface TracedValue extends ArgumentValue {
  readonly call: TracedCall;
  readonly argument: string;
  /** The address as it is written, if it is one. */
  readonly url: string | null;
  /** False: only what the address carries counts, because the tool has no effect. */
  readonly isDirecting: boolean;
}

const MAX_VALUES = 20_000;

/**
 * The values of calls that say where an effect goes or what it does, and that stand in untrusted data and in no text of
 * the user or the developer; and addresses that carry values of the conversation to a place that neither of them named.
 * Pure, and linear in the conversation.
 */
export function traceCalls(input: TraceInput): Flow[] {
  const definitions = readDefinedTools(input.body);
  const values = input.calls
    .flatMap((call) => callValues(call, definitions.get(call.name), input.effectTools))
    .slice(0, MAX_VALUES);
  if (values.length === 0) return [];
  const texts = sourceTexts(input.conversation, readResultTools(input.body));
  const untrusted = texts.filter(({ origin }) => origin === 'untrusted');
  if (untrusted.length === 0) return [];
  const open = notOwn(values, texts, definitions, input);
  if (open.length === 0) return [];
  const { find, hasOverrun } = createValueFinder(open, false);
  const sources = new Map<number, SourceText>();
  for (const text of untrusted)
    for (const index of find(text.text)) if (!sources.has(index)) sources.set(index, text);
  const isOverrun = hasOverrun();
  const folded = open.some(({ url }) => url !== null)
    ? texts.map((source) => ({ source, text: source.text.toLowerCase() }))
    : [];
  return open.flatMap((value, index) => {
    // What could not be searched for any more is held like what was found.
    const source = sources.get(index) ?? (isOverrun ? untrusted[0]! : null);
    const from = value.url === null ? null : carriedFrom(value.url, source, folded);
    if (from !== null) {
      const addressSource = source === null ? null : flowSource(source);
      return [{ ...flowOf(value, from), isCarrying: true, addressSource }];
    }
    return source !== null && value.isDirecting ? [flowOf(value, source)] : [];
  });
}

function callValues(
  call: TracedCall,
  definition: DefinedTool | undefined,
  effectTools: readonly string[],
): TracedValue[] {
  const fields = argumentFields(call.arguments);
  const effect = effectOf(call.name, definition, Object.keys(call.arguments), effectTools);
  return fields.flatMap((field): TracedValue[] => {
    const traced = { call, argument: field.path };
    const named = effect === null ? [] : valuesIn(field, effect);
    const places = new Set(named.filter(({ kind }) => kind === 'url').map(({ text }) => text));
    const addresses = urlsIn(field.text).flatMap((url): TracedValue[] => {
      const text = placeOf(url);
      return text === null ? [] : [{ ...traced, kind: 'url', text, url, isDirecting: places.has(text) }];
    });
    const others = named.filter(({ kind }) => kind !== 'url');
    return [...addresses, ...others.map((value) => ({ ...traced, ...value, url: null, isDirecting: true }))];
  });
}

/** The values that neither the user nor the developer wrote, confirmed, or vouched for by naming their record. */
function notOwn(
  values: readonly TracedValue[],
  texts: readonly SourceText[],
  definitions: ReadonlyMap<string, DefinedTool>,
  { conversation, recordTools }: TraceInput,
): TracedValue[] {
  const own = texts
    .filter(({ origin }) => origin === 'user' || origin === 'developer')
    .map(({ text }) => text);
  const known = new Set<number>();
  const names = values.flatMap(namesOf);
  const finder = createValueFinder([...values, ...names], true);
  for (const text of [...own, ...confirmedTexts(conversation)])
    for (const index of finder.find(text))
      known.add(index < values.length ? index : names[index - values.length]!.of);
  const records = texts.filter(
    ({ origin, tool }) =>
      origin === 'untrusted' && tool !== null && returnsRecords(tool, definitions.get(tool), recordTools),
  );
  if (records.length > 0 && known.size < values.length) {
    const users = texts.filter(({ origin }) => origin === 'user').map(({ text }) => text);
    const isNamed = nameFinder(users);
    const vouched = records.flatMap((text) => vouchedScalars(text, isNamed)).join('\n');
    for (const index of createValueFinder(values, false).find(vouched)) known.add(index);
  }
  return values.filter((_, index) => !known.has(index));
}

interface PersonName extends ArgumentValue {
  /** Index of the person. */
  readonly of: number;
}

/** The words of a person's name: "Bob" of the user is the person "Bob Stone". */
function namesOf({ kind, text }: ArgumentValue, of: number): PersonName[] {
  if (kind !== 'person') return [];
  const words = text.split(' ').filter((word) => word.length >= MIN_NAME && word !== text);
  return words.map((word) => ({ kind, text: word, of }));
}

const MIN_NAME = 3;

const TO_OTHERS: ReadonlySet<ValueKind> = new Set([
  'email',
  'phone',
  'account',
  'channel',
  'person',
  'url',
  'host',
  'path',
]);

const flowSource = ({ path, message, tool }: SourceText): FlowSource => ({ path, message, tool });

function flowOf({ call, argument, kind }: TracedValue, source: SourceText): Flow {
  return {
    toolName: call.name,
    callPath: call.path,
    argument,
    kind,
    source: flowSource(source),
    isCarrying: false,
    addressSource: null,
    threatType: TO_OTHERS.has(kind) ? 'data_exfiltration' : 'unsafe_tool_call',
  };
}
