import { ERRORS, type ErrorCode, invalidBodySchema } from '@csg/shared/contract';

type Json = Record<string, unknown>;
export interface ErrorReply extends Json {
  readonly description: string;
  readonly content: Json;
}

/** Errors that all routes of a kind share, by status. */
export interface CommonErrors {
  /** The kind, such as `API key, body`; determines the name of the response. */
  readonly of: string;
  readonly responses: Readonly<Record<string, ErrorReply>>;
}

/** Member of a route's schema with these errors. Serializers use the schema's responses, which contain all of them. */
export const COMMON_ERRORS = 'x-common-errors';

/**
 * Returns a route's schema for the document: errors shared by all routes of its kind become its `default` response,
 * listed by status and code; its own errors keep their status.
 */
export function describeCommonErrors({ [COMMON_ERRORS]: common, ...schema }: Json): Json {
  if (common === undefined) return schema;
  const { of, responses } = common as CommonErrors;
  const own = Object.entries(schema['response'] as Record<string, ErrorReply>).flatMap(([status, reply]) =>
    withoutCommon(reply, responses[status]).map((rest) => [status, rest] as const),
  );
  return { ...schema, response: { ...Object.fromEntries(own), default: describeAll(of, responses) } };
}

function withoutCommon(reply: ErrorReply, common: ErrorReply | undefined): ErrorReply[] {
  if (common === undefined) return [reply];
  const left = codesOf(reply).filter((code) => !codesOf(common).includes(code));
  return left.length === 0 ? [] : [{ ...reply, description: left.join(', ') }];
}

function describeAll(of: string, responses: CommonErrors['responses']): Json {
  const lines = Object.entries(responses).flatMap(([status, { description }]) => {
    const codes = codesOf({ description });
    if (codes.length === 0) return [`${status}: ${description}`];
    return codes.map((code) => `${status} ${code}: ${ERRORS[code.slice(1, -1) as ErrorCode].message}`);
  });
  const bodies = new Map(Object.values(responses).map(({ content }) => [JSON.stringify(content), content]));
  const [content] = bodies.values();
  return {
    description: `Errors: ${of}\n\n${lines.map((line) => `- ${line}`).join('\n')}`,
    content: bodies.size === 1 ? content : { 'application/json': { schema: invalidBodySchema } },
  };
}

function codesOf({ description }: Pick<ErrorReply, 'description'>): readonly string[] {
  return /^(?:`\w+`(?:, |$))+$/.test(description) ? description.split(', ') : [];
}
