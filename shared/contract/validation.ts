import Type, { type Static } from 'typebox';

/** The body of a 422: a `detail` array and no `error` key. */
export const validationDetailSchema = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  type: Type.String(),
  input: Type.Optional(Type.Unknown()),
  ctx: Type.Optional(Type.Object({}, { additionalProperties: true })),
});
export type ValidationDetail = Static<typeof validationDetailSchema>;

export const validationErrorSchema = Type.Object({ detail: Type.Array(validationDetailSchema) });

/** A typed body that does not fit its schema. */
export class ValidationFault extends Error {
  readonly detail: readonly ValidationDetail[];
  constructor(detail: readonly ValidationDetail[]) {
    super('validation failed');
    this.name = 'ValidationFault';
    this.detail = detail;
  }
}
