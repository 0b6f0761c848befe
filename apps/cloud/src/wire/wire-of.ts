import type { TTimestamp } from '@csg/shared/contract';
import type { Static, TNull, TObject, TProperties, TSchema, TUnion } from 'typebox';
import { isoTime } from './iso-time.ts';

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

type Time = TTimestamp | TUnion<[TTimestamp, TNull]>;

type ReadonlyList<T> = T extends (infer Item)[] ? readonly Item[] : T;

/** The record for a shape: times as `createdAtMs`, all other properties under the same name in camel case. */
type RecordFor<P extends TProperties> = {
  readonly [Name in keyof P & string as P[Name] extends Time
    ? `${CamelCase<Name>}Ms`
    : CamelCase<Name>]: P[Name] extends TTimestamp
    ? number
    : P[Name] extends Time
      ? number | null
      : ReadonlyList<Static<P[Name]>>;
};

type Shown<P extends TProperties, Omitted extends keyof P> = Omit<Static<TObject<P>>, Omitted>;

/**
 * Returns a function that writes records in a shape of the contract, by its schema: a time property `created_at` is
 * the record's `createdAtMs` in ISO 8601, `is_active` its `isActive`. `omitted` are properties that the caller adds.
 */
export function wireOf<P extends TProperties, Omitted extends keyof P & string = never>(
  schema: TObject<P>,
  ...omitted: readonly Omitted[]
): (record: RecordFor<Omit<P, Omitted>>) => Shown<P, Omitted> {
  const names = Object.keys(schema.properties).filter(
    (name) => !(omitted as readonly string[]).includes(name),
  );
  const members = names.map((name) => {
    const own = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return isTime(schema.properties[name]!) ? { name, from: `${own}Ms`, write: time } : { name, from: own };
  });
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(names.map((name) => [name, null]));
  return (record) => {
    const values = record as Readonly<Record<string, unknown>>;
    const shown = { ...blank };
    for (const { name, from, write } of members) {
      shown[name] = write === undefined ? values[from] : write(values[from]);
    }
    return shown as Shown<P, Omitted>;
  };
}

const time = (ms: unknown): string | null => (typeof ms === 'number' ? isoTime(ms) : null);

function isTime(schema: TSchema & { format?: unknown; anyOf?: readonly TSchema[] }): boolean {
  return schema.format === 'date-time' || (schema.anyOf?.some(isTime) ?? false);
}
