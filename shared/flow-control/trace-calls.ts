import type { Steps } from '../text/index.ts';
import { argumentFields } from './argument-fields.ts';
import { type CarriedValue, carriedBeside, createCarriedFinder } from './carried-values.ts';
import { createValueFinder } from './find-values.ts';
import { ownValues, pathsOfAgent, valuesInNamedRecords } from './own-values.ts';
import { traceTainted } from './tainted-values.ts';
import { effectsOf, type TraceContext } from './trace-context.ts';
import { type TracedValue, valuesOfCalls } from './traced-values.ts';
import type { Flow, FlowSource, SourceText, TracedCall } from './types.ts';

/**
 * Returns the values of calls that direct an effect and occur in untrusted data, but in no text of the user or the
 * developer; and addresses that carry values of the conversation to a place that neither of them named; and
 * values of passages that give the model instructions. Pure, and linear in the conversation.
 */
export function* traceCalls(context: TraceContext): Steps<Flow[]> {
  const flows = yield* traceValues(context);
  for (const flow of yield* traceTainted(context)) flows.push(flow);
  return flows;
}

function* traceValues(context: TraceContext): Steps<Flow[]> {
  const { values, overfull } = yield* valuesOfCalls(yield* effectsOf(context, context.calls));
  if (values.length === 0 && overfull.length === 0) return [];
  const texts = yield* context.texts();
  const untrusted = texts.filter(({ origin }) => origin === 'untrusted');
  const [first] = untrusted;
  if (first === undefined) return [];
  const untraced = overfull.map((call) => untracedFlow(call, first));
  const open = yield* notOwn(values, context);
  if (open.length === 0) return untraced;
  const sourceOf = yield* findSources(open, untrusted, context);
  const carriedFrom = createCarriedFinder(texts, context.ownTexts);
  const flows = createFlowList();
  const readCalls = new Set<TracedCall>();
  for (const [index, value] of open.entries()) {
    const flow = yield* flowIn(value, sourceOf(index));
    if (flow !== null) flows.add(flow);
    yield;
  }
  return [...untraced, ...flows.all];

  function* flowIn(value: TracedValue, source: SourceText | null): Steps<Flow | null> {
    if (value.url === null) return directFlow(value, source);
    // One address that the user did not write makes all values of its call count: they are read once.
    const isFirst = source !== null && !readCalls.has(value.call);
    if (isFirst) readCalls.add(value.call);
    const fields = isFirst ? yield* argumentFields(value.call.arguments) : [];
    const others = fields.filter(({ path }) => path !== value.argument);
    const carrying = yield* carriedFrom(value.url, source, yield* carriedBeside(others));
    return carrying === null ? directFlow(value, source) : carryingFlow(value, carrying);
  }
}

/** Returns the first untrusted text with a value, by the index of the value. */
function* findSources(
  values: readonly TracedValue[],
  untrusted: readonly SourceText[],
  { sketchOf }: TraceContext,
): Steps<(index: number) => SourceText | null> {
  const { find, hasOverrun } = yield* createValueFinder(values, false, sketchOf);
  const sources = new Map<number, SourceText>();
  for (const text of untrusted)
    for (const index of yield* find(text.text)) if (!sources.has(index)) sources.set(index, text);
  // Beyond the search limit a value is treated as found.
  const otherwise = hasOverrun() ? untrusted[0]! : null;
  return (index) => sources.get(index) ?? otherwise;
}

const directFlow = (value: TracedValue, source: SourceText | null): Flow | null =>
  source !== null && value.isDirecting ? flowOf(value, source) : null;

function carryingFlow(value: TracedValue, { from, addressSource }: CarriedValue): Flow {
  const source = addressSource === null ? null : flowSource(addressSource);
  return { ...flowOf(value, from), isCarrying: true, addressSource: source };
}

/** Flows of a response that are all returned; beyond, the first of each call and threat type decides the same. */
const MAX_FLOWS = 1_000;

function createFlowList() {
  const all: Flow[] = [];
  const known = new Set<string>();
  return {
    all,
    add(flow: Flow): void {
      const key = `${flow.threatType} ${flow.callPath}`;
      if (all.length < MAX_FLOWS || !known.has(key)) all.push(flow);
      known.add(key);
    },
  };
}

/** Returns the values that the user and the developer neither wrote, confirmed, nor vouched for by their record. */
function* notOwn(
  values: readonly TracedValue[],
  { texts, ownTexts, sketchOf, returnsRecords }: TraceContext,
): Steps<readonly TracedValue[]> {
  const own = yield* ownValues(values, yield* ownTexts(), sketchOf);
  const open = values.filter((_, index) => !own.has(index));
  if (open.length === 0) return [];
  const vouched = yield* valuesInNamedRecords(open, yield* texts(), returnsRecords);
  const others = open.filter((_, index) => !vouched.has(index));
  const made = yield* pathsOfAgent(others, yield* texts(), sketchOf);
  return others.filter((_, index) => !made.has(index));
}

const TO_OTHERS: ReadonlySet<Flow['kind']> = new Set([
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

/** The flow of a call with more values than are traced: any of them could come from `source`. */
const untracedFlow = (call: TracedCall, source: SourceText): Flow =>
  flowOf({ call, argument: '', kind: 'too_many' }, source);

function flowOf(
  { call, argument, kind }: Pick<TracedValue, 'call' | 'argument'> & Pick<Flow, 'kind'>,
  source: SourceText,
): Flow {
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
