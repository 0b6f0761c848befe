import { createCarriedFinder } from './carried-values.ts';
import { createValueFinder } from './find-values.ts';
import { ownValues, valuesInNamedRecords } from './own-values.ts';
import type { TraceContext } from './trace-context.ts';
import { callValues, type TracedValue } from './traced-values.ts';
import type { Flow, FlowSource, SourceText, ValueKind } from './types.ts';

/**
 * Returns the values of calls that direct an effect and occur in untrusted data, but in no text of the user or the
 * developer; and addresses that carry values of the conversation to a place that neither of them named. Pure, and
 * linear in the conversation.
 */
export function traceCalls(context: TraceContext): Flow[] {
  const values = context.calls.flatMap((call) => callValues(call, context.effectOf(call)));
  if (values.length === 0) return [];
  const texts = context.texts();
  const untrusted = texts.filter(({ origin }) => origin === 'untrusted');
  if (untrusted.length === 0) return [];
  const open = notOwn(values, context);
  if (open.length === 0) return [];
  const { find, hasOverrun } = createValueFinder(open, false, context.sketchOf);
  const sources = new Map<number, SourceText>();
  for (const text of untrusted)
    for (const index of find(text.text)) if (!sources.has(index)) sources.set(index, text);
  const isOverrun = hasOverrun();
  const carriedFrom = createCarriedFinder(texts);
  return open.flatMap((value, index) => {
    // Beyond the search limit a value is treated as found.
    const source = sources.get(index) ?? (isOverrun ? untrusted[0]! : null);
    const carrying = value.url === null ? null : carriedFrom(value.url, source);
    if (carrying !== null) {
      const addressSource = carrying.addressSource === null ? null : flowSource(carrying.addressSource);
      return [{ ...flowOf(value, carrying.from), isCarrying: true, addressSource }];
    }
    return source !== null && value.isDirecting ? [flowOf(value, source)] : [];
  });
}

/** Returns the values that the user and the developer neither wrote, confirmed, nor vouched for by their record. */
function notOwn(
  values: readonly TracedValue[],
  { texts, ownTexts, sketchOf, returnsRecords }: TraceContext,
): TracedValue[] {
  const own = ownValues(values, ownTexts(), sketchOf);
  const open = values.filter((_, index) => !own.has(index));
  if (open.length === 0) return [];
  const vouched = valuesInNamedRecords(open, texts(), returnsRecords);
  return open.filter((_, index) => !vouched.has(index));
}

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
