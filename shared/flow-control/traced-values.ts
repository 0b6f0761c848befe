import { bareToolName } from '../text/index.ts';
import { type ArgumentField, argumentFields } from './argument-fields.ts';
import { urlsIn, valuesIn } from './argument-values.ts';
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

/** Returns the values of a call that direct its effect, and its addresses. `effect` null: it has none. */
export function callValues(call: TracedCall, effect: Effect | null): TracedValue[] {
  return fieldsOf(call).flatMap((field): TracedValue[] => {
    const traced = { call, argument: field.path };
    const named = effect === null ? [] : valuesIn(field, effect);
    const places = new Set(named.filter(({ kind }) => kind === 'url').map(({ text }) => text));
    const addresses = urlsIn(field.text).flatMap((url): TracedValue[] => {
      const text = placeOf(foldText(url));
      return text === null ? [] : [{ ...traced, kind: 'url', text, url, isDirecting: places.has(text) }];
    });
    const others = named.filter(({ kind }) => kind !== 'url');
    return [...addresses, ...others.map((value) => ({ ...traced, ...value, url: null, isDirecting: true }))];
  });
}

function fieldsOf({ name, arguments: given }: TracedCall): ArgumentField[] {
  const fields = argumentFields(given);
  if (!isProgram(name)) return fields;
  const text = [bareToolName(name).toLowerCase(), ...fields.map((field) => field.text)].join(' ');
  return [...fields, { path: '', class: 'command', text }];
}
