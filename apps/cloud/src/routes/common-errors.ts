import { ERRORS, type ErrorCode, invalidBodySchema } from '@csg/shared/contract';

type Json = Record<string, unknown>;
export interface ErrorReply extends Json {
  readonly description: string;
  readonly content: Json;
}

/** Errors of every route of a kind, by their status. */
export interface CommonErrors {
  /** Such as `API key, body`; the name of the response follows from it. */
  readonly of: string;
  readonly responses: Readonly<Record<string, ErrorReply>>;
}

/** Where a route's schema carries them. Serializers read its responses, which contain all. */
export const COMMON_ERRORS = 'x-common-errors';

/**
 * A route's schema as the document shows it: what every route of its kind can answer is its `default` response, listed
 * by status and code; what this one alone can answer keeps its status.
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
