import Type, { type TNull, type TSchema, type TSchemaOptions, type TUnion } from 'typebox';

/** Pieces that many shapes share. */
export const timestamp = Type.String({ format: 'date-time' });

/** The value or null. */
export function nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], options);
}

export const nullableText = nullable(Type.String());

/** A number of things: never negative. */
export function count(description?: string): Type.TInteger {
  return Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
}
