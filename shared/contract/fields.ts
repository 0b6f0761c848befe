import Type, {
  type TEnum,
  type TNull,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TUnion,
} from 'typebox';

/** Pieces that many shapes share. */
export interface TTimestamp extends TString {
  readonly format: 'date-time';
}
export const timestamp = Type.String({ format: 'date-time' }) as TTimestamp;
export const timestampOf = (description: string) =>
  Type.String({ format: 'date-time', description }) as TTimestamp;

/** Id of a record, as paths and requests name it. */
export const idSchema = Type.String({ minLength: 1, maxLength: 64 });

/** An object with a name of its own: OpenAPI and the typed client list it under this name. */
export function shape<T extends TProperties>(
  name: string,
  properties: T,
  options: TObjectOptions = {},
): TObject<T> {
  return Type.Object(properties, { ...options, $id: name });
}

/** One of these words, under a name of its own. */
export function choice<const T extends string[]>(
  name: string,
  values: readonly [...T],
  options: TSchemaOptions = {},
): TEnum<T> {
  return Type.Enum(values, { ...options, $id: name });
}

/** The value or null. */
export function nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], options);
}

export const nullableText = nullable(Type.String());

/** A number of things: never negative. */
export function count(description?: string): Type.TInteger {
  return Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
}
