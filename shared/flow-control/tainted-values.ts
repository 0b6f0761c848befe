import type { Steps } from '../text/index.ts';
import { argumentFields } from './argument-fields.ts';
import { createKeyFinder, passageKeys } from './passage-values.ts';
import type { TraceContext } from './trace-context.ts';
import type { Flow, SourceText, TaintedText, TracedCall } from './types.ts';

/** Values of a passage that are kept. */
const MAX_VALUES = 200;
/** Values of one call that are told. */
const MAX_TOLD = 20;

/**
 * Returns the calls that carry a value of a passage which gives the model instructions, in whichever argument and
 * whatever the tool does. A value that the user, the developer or another source before the passage wrote is not
 * tainted. Linear in the conversation and in the number of values.
 */
export function* traceTainted(context: TraceContext): Steps<Flow[]> {
  if (context.tainted.length === 0 || context.calls.length === 0) return [];
  const sources = yield* taintedKeys(context);
  if (sources.size === 0) return [];
  const find = createKeyFinder(new Set(sources.keys()));
  const flows: Flow[] = [];
  for (const call of context.calls) {
    let told = 0;
    for (const { path, text, class: named } of yield* argumentFields(call.arguments)) {
      if (told === MAX_TOLD) break;
      const found = new Map<string, Flow>();
      const field = { name: path.slice(path.lastIndexOf('/') + 1), class: named };
      yield* find(text, (key) => noteFlow(found, call, path, key, sources.get(key)!), field);
      told += found.size;
      flows.push(...found.values());
      yield;
    }
  }
  return flows;
}

/** One for each type of threat. */
function noteFlow(
  found: Map<string, Flow>,
  { name: toolName, path: callPath }: TracedCall,
  argument: string,
  key: string,
  { path, message, tool }: SourceText,
): void {
  const threatType = /^(?:email|place) /.test(key) ? 'data_exfiltration' : 'unsafe_tool_call';
  const source = { path, message, tool };
  const rest = { isCarrying: false, addressSource: null, threatType } as const;
  if (!found.has(threatType))
    found.set(threatType, { toolName, callPath, argument, kind: 'tainted', source, ...rest });
}

/** A key, the text with its passage, and the position of that text in the conversation. */
type Candidates = Map<string, { readonly source: SourceText; readonly at: number }>;

/** Returns the keys of tainted values, each with the text of its passage. */
function* taintedKeys({ tainted, texts, ownTexts }: TraceContext): Steps<Map<string, SourceText>> {
  const all = yield* texts();
  const keys = yield* candidatesIn(tainted, all);
  if (keys.size === 0) return new Map();
  const find = createKeyFinder(new Set(keys.keys()));
  const isPassage = new Set(tainted.map(({ slot }) => slot.path));
  for (const [at, { origin, path, text }] of all.entries()) {
    const isOther = origin === 'model' || (origin === 'untrusted' && !isPassage.has(path));
    if (!isOther) continue;
    // What another source or the model wrote before is not tainted by its repetition.
    yield* find(text, (key) => {
      if ((keys.get(key)?.at ?? 0) > at) keys.delete(key);
    });
  }
  for (const text of yield* ownTexts()) yield* find(text, (key) => void keys.delete(key));
  return new Map([...keys].map(([key, { source }]) => [key, source]));
}

function* candidatesIn(tainted: readonly TaintedText[], all: readonly SourceText[]): Steps<Candidates> {
  const textsOf = new Map(tainted.map((text) => [text.slot.path, text]));
  const keys: Candidates = new Map();
  for (const [at, source] of all.entries()) {
    const known = source.origin === 'untrusted' ? textsOf.get(source.path) : undefined;
    if (known === undefined) continue;
    textsOf.delete(source.path);
    for (const { start, end } of known.passages) {
      for (const key of yield* passageKeys(known.slot.text.slice(start, end), MAX_VALUES))
        if (!keys.has(key)) keys.set(key, { source, at });
      yield;
    }
  }
  return keys;
}
