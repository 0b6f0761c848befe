import { bareToolName, nameWords, pausing, type Steps } from '../text/index.ts';
import { type ArgumentField, argumentFields } from './argument-fields.ts';
import { isHost, isOutside, urlsIn, valuesIn } from './argument-values.ts';
import { isProgram } from './effects.ts';
import { foldText } from './fold-text.ts';
import { placeOf } from './places.ts';
import type { ArgumentValue, Effect, TracedCall } from './types.ts';

export interface TracedValue extends ArgumentValue {
  readonly call: TracedCall;
  readonly argument: string;
  /** The address as written, if it is one. */
  readonly url: string | null;
  /** False: only values that the address carries count, because the tool has no effect. */
  readonly isDirecting: boolean;
}

/** A call with more values is not traced. */
const MAX_VALUES = 2_000;

/** The values of calls, and the calls that have too many. */
export interface ValuesOfCalls {
  readonly values: readonly TracedValue[];
  readonly overfull: readonly TracedCall[];
}

/** Returns the values of calls, given with their effects. */
export function* valuesOfCalls(effects: ReadonlyMap<TracedCall, Effect | null>): Steps<ValuesOfCalls> {
  const values: TracedValue[] = [];
  const overfull: TracedCall[] = [];
  for (const [call, effect] of effects) {
    const its = yield* callValues(call, effect);
    if (its === null) overfull.push(call);
    else values.push(...its);
    yield;
  }
  return { values, overfull };
}

/**
 * Returns the values of a call that direct its effect, and its addresses; null: there are too many. `effect` null: it
 * has none.
 */
function* callValues(call: TracedCall, effect: Effect | null): Steps<readonly TracedValue[] | null> {
  const values: TracedValue[] = [];
  for (const field of yield* fieldsOf(call)) {
    for (const value of yield* valuesOfField(call, field, effect)) values.push(value);
    if (values.length > MAX_VALUES) return null;
    yield;
  }
  return values;
}

/** Returns no more than one value beyond the most that are traced. */
function* valuesOfField(
  call: TracedCall,
  field: ArgumentField,
  effect: Effect | null,
): Steps<readonly TracedValue[]> {
  const traced = { call, argument: field.path };
  const named = effect === null ? placedBy(call.name, field) : yield* valuesIn(field, effect);
  const places = new Set(named.filter(({ kind }) => kind === 'url').map(({ text }) => text));
  const values: TracedValue[] = [];
  const isBareHost = field.class === 'address' && isHost(field.text);
  const urls = isBareHost ? [field.text.trim()] : yield* urlsIn(field.text);
  yield* pausing(urls.slice(0, MAX_VALUES + 1), (url) => {
    const text = placeOf(foldText(url));
    if (text !== null) values.push({ ...traced, kind: 'url', text, url, isDirecting: places.has(text) });
  });
  for (const value of named)
    if (value.kind !== 'url') values.push({ ...traced, ...value, url: null, isDirecting: true });
  return values;
}

/** A path that a reading tool writes to: `download_file {save_dir}`. */
function placedBy(toolName: string, { path, text, class: named }: ArgumentField): readonly ArgumentValue[] {
  if ((named !== 'path' && named !== 'recipient' && named !== null) || !isOutside(text)) return [];
  const words = nameWords(path.slice(path.lastIndexOf('/') + 1));
  const isPlacing = nameWords(bareToolName(toolName)).some((word) => PLACING.has(word));
  const isTarget = words.some((word) => TARGET.has(word)) || (isPlacing && FOLDER.has(words.at(-1) ?? ''));
  return isTarget ? [{ kind: 'path', text: foldText(text).trim().toLowerCase() }] : [];
}

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const PLACING = wordSet(
  'download copy cp move mv rename clone extract unzip untar unpack decompress save restore symlink link mount store dump export generate render convert scaffold checkout sync backup',
);
const TARGET = wordSet(
  'dest destination target output out outfile outdir save saved into to extract install prefix',
);
const FOLDER = wordSet('dir directory folder path location root file filename filepath');

function* fieldsOf({ name, arguments: given }: TracedCall): Steps<readonly ArgumentField[]> {
  const fields = yield* argumentFields(given);
  if (!isProgram(name)) return fields;
  const text = [bareToolName(name).toLowerCase(), ...fields.map((field) => field.text)].join(' ');
  return [...fields, { path: '', class: 'command', text }];
}
