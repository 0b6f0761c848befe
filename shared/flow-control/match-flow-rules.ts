import type { FlowRule, FlowValue } from '../contract/index.ts';
import { pausing, type Steps, toolMatcher } from '../text/index.ts';
import { createCopyFinder } from './copied-texts.ts';
import { createValueFinder, type ValueFinder } from './find-values.ts';
import { ownValues } from './own-values.ts';
import { effectsOf, type TraceContext } from './trace-context.ts';
import { valuesOfCalls } from './traced-values.ts';
import type { Effect, FlowSource, SourceText, TracedCall, ValueKind } from './types.ts';

/** `too_many`: the call has more values than are traced. */
type TracedKind = ValueKind | 'text' | 'too_many';

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
    readonly kind: TracedKind;
    readonly source: FlowSource;
  } | null;
}

/** A value of a call, and for each rule the first text that contains it. */
interface Traced {
  readonly call: TracedCall;
  readonly argument: string;
  readonly kind: TracedKind;
  readonly sourceFor: (rule: number) => SourceText | undefined;
}

/**
 * Returns the calls that match rules of policies. Values in texts of the user or the developer are excluded; unlike in
 * flow control, records of the organization are ordinary data. Pure, and linear in the conversation.
 */
export function* matchFlowRules(context: TraceContext, rules: readonly FlowRule[]): Steps<RuleMatch[]> {
  const effects = yield* effectsOf(context, context.calls);
  const tests = rules.map(targetOf);
  const targets = tests.map(
    (isTarget) => new Set(context.calls.filter((call) => isTarget(call.name, effects.get(call) ?? null))),
  );
  if (targets.every(({ size }) => size === 0)) return [];
  const traced = yield* tracedValues(context, rules, targets, effects);
  const earlier = rules.some(({ max_calls }) => max_calls !== undefined)
    ? yield* effectsOf(context, yield* context.earlierCalls())
    : NO_EFFECTS;
  const matches: RuleMatch[] = [];
  for (const [index, rule] of rules.entries()) {
    const calls = targets[index]!;
    if (rule.max_calls === undefined)
      yield* pausing(traced, (one) => matches.push(...matchesOf(one, index, rule, calls)));
    else {
      const counted = [...earlier].filter(([{ name }, effect]) => tests[index]!(name, effect));
      const allowed = Math.max(0, rule.max_calls - counted.length);
      for (const call of [...calls].slice(allowed)) matches.push(matchOf(index, call, null));
    }
  }
  return matches;
}

/** Returns the match of a value with a rule about these calls, if there is one. */
function matchesOf(
  { call, argument, kind, sourceFor }: Traced,
  index: number,
  { values }: FlowRule,
  calls: ReadonlySet<TracedCall>,
): RuleMatch[] {
  const source = calls.has(call) && isNamed(kind, values) ? sourceFor(index) : undefined;
  if (source === undefined) return [];
  const { path, message, tool } = source;
  return [matchOf(index, call, { argument, kind, source: { path, message, tool } })];
}

const NO_EFFECTS: ReadonlyMap<TracedCall, Effect | null> = new Map();

/** True if a rule about values of these kinds is about this one. */
const isNamed = (kind: TracedKind, values: FlowRule['values']): boolean =>
  kind === 'too_many' || isAmong(VALUE_OF[kind], values);

const VALUE_OF: Readonly<Record<Exclude<TracedKind, 'too_many'>, FlowValue>> = {
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

function* tracedValues(
  context: TraceContext,
  rules: readonly FlowRule[],
  targets: readonly ReadonlySet<TracedCall>[],
  effects: ReadonlyMap<TracedCall, Effect | null>,
): Steps<Traced[]> {
  const tracing = rules.flatMap((rule, index) => (rule.max_calls === undefined ? [index] : []));
  const calls = new Set(tracing.flatMap((index) => [...targets[index]!]));
  if (calls.size === 0) return [];
  const origins = new Map(tracing.map((index) => [index, originOf(rules[index]!)]));
  const sources = (yield* context.texts()).flatMap((text): RuleSource[] => {
    const about = text.origin === 'untrusted' ? tracing.filter((index) => origins.get(index)!(text)) : [];
    return about.length === 0 ? [] : [{ text, rules: about }];
  });
  if (sources.length === 0) return [];
  const own = yield* context.ownTexts();
  // A tool without an effect is treated as sending, because the rule names it.
  const asSending = new Map([...calls].map((call) => [call, effects.get(call) ?? ('send' as const)]));
  const { values, overfull } = yield* valuesOfCalls(asSending);
  const known = yield* ownValues(values, own, context.sketchOf);
  const open = values.filter((_, index) => !known.has(index));
  const finder = yield* createValueFinder(open, false, context.sketchOf);
  const found = [...untracedIn(overfull, sources), ...(yield* inSources(open, sources, finder))];
  if (!tracing.some((index) => isAmong('text', rules[index]!.values))) return found;
  const copies = yield* createCopyFinder([...calls], own);
  const copied = copies.fields.map((field) => ({ ...field, kind: 'text' as const }));
  const inCopies = yield* inSources(copied, sources, { find: copies.find, hasOverrun: () => false });
  return [...found, ...inCopies];
}

/** A text, and the rules whose source conditions it meets. */
interface RuleSource {
  readonly text: SourceText;
  readonly rules: readonly number[];
}

/** Calls with more values than are traced: any of them could come from the first source. */
function untracedIn(calls: readonly TracedCall[], sources: readonly RuleSource[]): Traced[] {
  const sourceFor = (rule: number) => firstSource(sources, rule);
  return calls.map((call) => ({ call, argument: '', kind: 'too_many', sourceFor }));
}

const firstSource = (sources: readonly RuleSource[], rule: number): SourceText | undefined =>
  sources.find(({ rules }) => rules.includes(rule))?.text;

function* inSources(
  values: readonly Omit<Traced, 'sourceFor'>[],
  sources: readonly RuleSource[],
  { find, hasOverrun }: { readonly find: ValueFinder; readonly hasOverrun: () => boolean },
): Steps<Traced[]> {
  const first = new Map<number, Map<number, SourceText>>();
  for (const { text, rules } of sources) {
    for (const index of yield* find(text.text))
      for (const rule of rules) {
        const known = first.get(rule);
        if (known === undefined) first.set(rule, new Map([[index, text]]));
        else if (!known.has(index)) known.set(index, text);
      }
    yield;
  }
  // Beyond the search limit a value is treated as found.
  const fallback = (rule: number): SourceText | undefined =>
    hasOverrun() ? firstSource(sources, rule) : undefined;
  return values.map(({ call, argument, kind }, index) => ({
    ...{ call, argument, kind },
    sourceFor: (rule) => first.get(rule)?.get(index) ?? fallback(rule),
  }));
}
