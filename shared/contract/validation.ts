import Type, { type Static } from 'typebox';
import { shape } from './fields.ts';

/** The body of a 422: a `detail` array and no `error` key. Every item has all five members. */
export const validationDetailSchema = shape('ValidationProblem', {
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  type: Type.String(),
  input: Type.Unknown({ description: 'The rejected value, at most 1,000 characters, without secrets.' }),
  ctx: Type.Object({}, { additionalProperties: true }),
});
export type ValidationDetail = Static<typeof validationDetailSchema>;

/** An item as validating code creates it; `input` is taken from the request. */
export type ValidationIssue = Pick<ValidationDetail, 'loc' | 'msg' | 'type'> & {
  readonly ctx?: ValidationDetail['ctx'];
};

export const validationErrorSchema = shape('ValidationError', { detail: Type.Array(validationDetailSchema) });

/** Thrown for a body that does not match its schema. */
export class ValidationError extends Error {
  readonly detail: readonly ValidationIssue[];
  constructor(detail: readonly ValidationIssue[]) {
    super('validation failed');
    this.name = 'ValidationError';
    this.detail = detail;
  }
}
