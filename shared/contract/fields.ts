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

/** Schemas that many shapes share. */
export interface TTimestamp extends TString {
  readonly format: 'date-time';
}
export const timestamp = Type.String({ format: 'date-time' }) as TTimestamp;
/*#__NO_SIDE_EFFECTS__*/
export function timestampOf(description: string): TTimestamp {
  return Type.String({ format: 'date-time', description }) as TTimestamp;
}

/** The id of a record in paths and requests. */
export const idSchema = Type.String({ minLength: 1, maxLength: 64 });

/** Shows nobody something else than what is written: no control characters, none that change the direction of text. */
const VISIBLE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$';

export const isVisiblePattern = (pattern: unknown): boolean => String(pattern).endsWith(VISIBLE.slice(1));

/** A name that people give, and others read. */
/*#__NO_SIDE_EFFECTS__*/
export function nameOf(maxLength: number, options: TSchemaOptions = {}): TString {
  return Type.String({ ...options, minLength: 1, maxLength, pattern: VISIBLE });
}
/** One that is not only white space. */
/*#__NO_SIDE_EFFECTS__*/
export function title(maxLength: number): TString {
  return Type.String({ minLength: 1, maxLength, pattern: VISIBLE.replace('^', '^(?=.*\\S)') });
}

/** Creates an object schema with a name, under which OpenAPI and the typed client list it. */
/*#__NO_SIDE_EFFECTS__*/
export function shape<T extends TProperties>(
  name: string,
  properties: T,
  options: TObjectOptions = {},
): TObject<T> {
  return Type.Object(properties, { ...options, $id: name });
}

/** Creates an enum of these values, with a name. */
/*#__NO_SIDE_EFFECTS__*/
export function choice<const T extends string[]>(
  name: string,
  values: readonly [...T],
  options: TSchemaOptions = {},
): TEnum<T> {
  return Type.Enum(values, { ...options, $id: name });
}

/** Creates a schema for the value or null. */
/*#__NO_SIDE_EFFECTS__*/
export function nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], options);
}

export const nullableText = nullable(Type.String());

/** Creates a schema for a count, which is never negative. */
export function count(description?: string): Type.TInteger {
  return Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
}
