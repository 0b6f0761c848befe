import type { FlowRule, FlowValue } from '../contract/index.ts';
import { toolMatcher } from '../text/index.ts';
import { createCopyFinder } from './copied-texts.ts';
import { createValueFinder } from './find-values.ts';
import { ownValues } from './own-values.ts';
import type { TraceContext } from './trace-context.ts';
import { callValues } from './traced-values.ts';
import type { Effect, FlowSource, SourceText, TracedCall, ValueKind } from './types.ts';

/** A call that matches a rule of a policy. */
export interface RuleMatch {
  /** Index of the rule. */
  readonly rule: number;
  readonly toolName: string;
  /** JSON pointer of the call. */
  readonly callPath: string;
  /** Argument and source of the value; null: the rule counts calls. */
  readonly value: {
    readonly argument: string;
    readonly kind: ValueKind | 'text';
    readonly source: FlowSource;
  } | null;
}

/** A value of a call, and for each rule the first text that contains it. */
interface Traced {
  readonly call: TracedCall;
  readonly argument: string;
  readonly kind: ValueKind | 'text';
  readonly sourceFor: (rule: number) => SourceText | undefined;
}

/**
 * Returns the calls that match rules of policies. Values in texts of the user or the developer are excluded; unlike in
 * flow control, records of the organization are ordinary data. Pure, and linear in the conversation.
 */
export function matchFlowRules(context: TraceContext, rules: readonly FlowRule[]): RuleMatch[] {
  const effects = new Map(context.calls.map((call) => [call, context.effectOf(call)]));
  const tests = rules.map(targetOf);
  const targets = tests.map(
    (isTarget) => new Set(context.calls.filter((call) => isTarget(call.name, effects.get(call) ?? null))),
  );
  if (targets.every(({ size }) => size === 0)) return [];
  const traced = tracedValues(context, rules, targets, effects);
  return rules.flatMap((rule, index) => {
    const calls = targets[index]!;
    if (rule.max_calls !== undefined) {
      const counted = context
        .earlierCalls()
        .filter((call) => tests[index]!(call.name, context.effectOf(call)));
      const allowed = Math.max(0, rule.max_calls - counted.length);
      return [...calls].slice(allowed).map((call) => matchOf(index, call, null));
    }
    return traced.flatMap(({ call, argument, kind, sourceFor }) => {
      const source = calls.has(call) && isAmong(VALUE_OF[kind], rule.values) ? sourceFor(index) : undefined;
      if (source === undefined) return [];
      const { path, message, tool } = source;
      return [matchOf(index, call, { argument, kind, source: { path, message, tool } })];
    });
  });
}

const VALUE_OF: Readonly<Record<ValueKind | 'text', FlowValue>> = {
  email: 'recipient',
  phone: 'recipient',
  account: 'recipient',
  channel: 'recipient',
  person: 'recipient',
  url: 'address',
  host: 'address',
  path: 'path',
  command: 'command',
  amount: 'amount',
  text: 'text',
};

const matchOf = (rule: number, { name, path }: TracedCall, value: RuleMatch['value']): RuleMatch => ({
  ...{ rule, toolName: name, callPath: path, value },
});

/** An empty list means any. */
const isAmong = <T>(one: T, list: readonly T[] | undefined): boolean =>
  list === undefined || list.length === 0 || list.includes(one);

/** A rule without tools and effects applies to all tools with effects. */
function targetOf({ tools = [], effects = [] }: FlowRule): (name: string, effect: Effect | null) => boolean {
  const isListed = toolMatcher(tools);
  if (tools.length === 0 && effects.length === 0) return (_, effect) => effect !== null;
  return (name, effect) => isListed(name) || (effect !== null && effects.includes(effect));
}

/** Requires a match of one tool or one kind of data. */
function originOf({ from = [], from_tools: tools = [] }: FlowRule): (source: SourceText) => boolean {
  const isListed = toolMatcher(tools);
  if (from.length === 0 && tools.length === 0) return () => true;
  return ({ tool, dataSource }) =>
    (tool !== null && isListed(tool)) || (dataSource !== null && from.includes(dataSource));
}

function tracedValues(
  context: TraceContext,
  rules: readonly FlowRule[],
  targets: readonly ReadonlySet<TracedCall>[],
  effects: ReadonlyMap<TracedCall, Effect | null>,
): Traced[] {
  const tracing = rules.flatMap((rule, index) => (rule.max_calls === undefined ? [index] : []));
  const calls = new Set(tracing.flatMap((index) => [...targets[index]!]));
  if (calls.size === 0) return [];
  const origins = new Map(tracing.map((index) => [index, originOf(rules[index]!)]));
  const sources = context.texts().flatMap((text): RuleSource[] => {
    const about = text.origin === 'untrusted' ? tracing.filter((index) => origins.get(index)!(text)) : [];
    return about.length === 0 ? [] : [{ text, rules: about }];
  });
  if (sources.length === 0) return [];
  const own = context.ownTexts();
  // A tool without an effect is treated as sending, because the rule names it.
  const values = [...calls].flatMap((call) => callValues(call, effects.get(call) ?? 'send'));
  const known = ownValues(values, own, context.sketchOf);
  const open = values.filter((_, index) => !known.has(index));
  const found = inSources(open, sources, createValueFinder(open, false, context.sketchOf));
  if (!tracing.some((index) => isAmong('text', rules[index]!.values))) return found;
  const copies = createCopyFinder([...calls], own);
  const copied = copies.fields.map((field) => ({ ...field, kind: 'text' as const }));
  return [...found, ...inSources(copied, sources, { find: copies.find, hasOverrun: () => false })];
}

/** A text, and the rules whose source conditions it meets. */
interface RuleSource {
  readonly text: SourceText;
  readonly rules: readonly number[];
}

function inSources(
  values: readonly Omit<Traced, 'sourceFor'>[],
  sources: readonly RuleSource[],
  { find, hasOverrun }: ReturnType<typeof createValueFinder>,
): Traced[] {
  const first = new Map<number, Map<number, SourceText>>();
  for (const { text, rules } of sources)
    for (const index of find(text.text))
      for (const rule of rules) {
        const known = first.get(rule);
        if (known === undefined) first.set(rule, new Map([[index, text]]));
        else if (!known.has(index)) known.set(index, text);
      }
  // Beyond the search limit a value is treated as found.
  const fallback = (rule: number): SourceText | undefined =>
    hasOverrun() ? sources.find(({ rules }) => rules.includes(rule))?.text : undefined;
  return values.map(({ call, argument, kind }, index) => ({
    ...{ call, argument, kind },
    sourceFor: (rule) => first.get(rule)?.get(index) ?? fallback(rule),
  }));
}
