import { CodedError, ERRORS, type ErrorCode, errorEnvelope } from '@csg/shared/contract';

type Json = Record<string, unknown>;

interface Operation {
  parameters?: Json[];
  readonly responses: Record<string, Json>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Document['paths'];
  readonly components: Json;
}

/** Bodies of errors: a response that has one is referred to, not repeated. */
const ERROR_BODIES: readonly string[] = [
  'ErrorResponse',
  'ScimError',
  'ValidationError',
  'ValidationErrorOrErrorResponse',
];

/** Writes what many operations have in common once: error responses by their code, parameters of addresses and headers by their name. */
export function shareParts(document: Document): object {
  const responses: Json = {};
  const parameters: Record<string, Json> = {};
  const items = [...Object.values(document.paths), ...Object.values(document.webhooks)];
  for (const operation of items.flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      operation.responses[status] = shareResponse(response, responses);
    }
    if (operation.parameters === undefined) continue;
    operation.parameters = operation.parameters.map((one) => shareParameter(one, parameters));
  }
  const { components } = document;
  return {
    ...document,
    components: {
      ...components,
      schemas: sorted(components['schemas'] as Json),
      responses: sorted(responses),
      parameters: sorted(parameters),
    },
  };
}

/** A response of one error code is that row of the error table; of several, their list stands beside the reference. */
function shareResponse({ description, content, ...rest }: Json, responses: Json): Json {
  const body = bodyOf(content);
  if (body === undefined) return { description, ...(content === undefined ? {} : { content }), ...rest };
  const code = /^`(\w+)`$/.exec(String(description))?.[1];
  if (code !== undefined && body === 'ErrorResponse') {
    responses[code] = rowOf(code as ErrorCode, content as Json);
    return { $ref: `#/components/responses/${code}` };
  }
  responses[body] = { description: 'An error.', content };
  return { $ref: `#/components/responses/${body}`, description };
}

function rowOf(code: ErrorCode, content: Json): Json {
  const example = errorEnvelope(new CodedError(code));
  return {
    description: `\`${code}\`: ${ERRORS[code].message}`,
    content: Object.fromEntries(
      Object.entries(content).map(([type, media]) => [type, { ...(media as Json), example }]),
    ),
  };
}

function bodyOf(content: unknown): string | undefined {
  const [media, ...others] = Object.values((content ?? {}) as Record<string, { schema?: { $ref?: string } }>);
  const name = media?.schema?.$ref?.split('/').at(-1);
  return others.length === 0 && name !== undefined && ERROR_BODIES.includes(name) ? name : undefined;
}

function shareParameter(parameter: Json, parameters: Record<string, Json>): Json {
  // Query parameters of one name differ from list to list.
  if (parameter['in'] === 'query') return parameter;
  const name = String(parameter['name']);
  parameters[name] ??= parameter;
  const isSame = JSON.stringify(parameters[name]) === JSON.stringify(parameter);
  return isSame ? { $ref: `#/components/parameters/${name}` } : parameter;
}

function sorted<T>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
