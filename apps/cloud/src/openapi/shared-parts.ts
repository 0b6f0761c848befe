import { ERRORS, type ErrorCode } from '@csg/shared/contract';
import { composeSchemas } from './compose-schemas.ts';

type Json = Record<string, unknown>;

interface Operation {
  readonly operationId?: string;
  parameters?: Json[];
  requestBody?: Json;
  readonly responses: Record<string, Json>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Document['paths'];
  readonly components: Json;
}

/** Error bodies: a response with one of these is referenced, not repeated. */
const ERROR_BODIES: readonly string[] = [
  'ErrorResponse',
  'ScimError',
  'ValidationError',
  'ValidationErrorOrErrorResponse',
];

/** Maximum length of response names, so that a reference fits in a line of the file. */
const MAX_NAME_LENGTH = 50;

/**
 * Writes what operations share only once: error responses by code, parameters by name, request bodies by the first
 * operation that takes them, and schemas as compositions.
 */
export function shareParts(document: Document): object {
  const items = [...Object.values(document.paths), ...Object.values(document.webhooks)];
  const operations = items.flatMap((methods) => Object.values(methods));
  for (const operation of operations) operation.parameters &&= operation.parameters.map(optionalByDefault);
  const repeated = repeatedParts(
    operations.flatMap(({ responses }) => Object.values(responses)),
    responseName,
  );
  const repeatedParameters = repeatedParts(
    operations.flatMap(({ parameters = [] }) => parameters),
    (parameter) => String(parameter['name']),
  );
  const operationsOfBody = Map.groupBy(
    operations.filter(({ requestBody }) => requestBody !== undefined),
    ({ requestBody }) => JSON.stringify(requestBody),
  );
  const responses: Json = {};
  const parameters: Json = {};
  const requestBodies: Json = {};
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      operation.responses[status] = shareResponse(response, responses, repeated);
    }
    operation.parameters &&= operation.parameters.map((parameter) => {
      const name = repeatedParameters.get(JSON.stringify(parameter));
      if (name === undefined) return parameter;
      parameters[name] = parameter;
      return { $ref: `#/components/parameters/${name}` };
    });
  }
  for (const [first, ...others] of operationsOfBody.values()) {
    if (first?.operationId === undefined || others.length === 0) continue;
    requestBodies[first.operationId] = first.requestBody;
    for (const operation of [first, ...others]) {
      operation.requestBody = { $ref: `#/components/requestBodies/${first.operationId}` };
    }
  }
  const { components } = document;
  return {
    ...document,
    components: {
      ...components,
      schemas: sorted(composeSchemas(components['schemas'] as Record<string, Json>)),
      responses: sorted(responses),
      parameters: sorted(parameters),
      requestBodies: sorted(requestBodies),
    },
  };
}

/** Removes `required: false`, which is the default. */
function optionalByDefault({ required, ...parameter }: Json): Json {
  return required === true ? { ...parameter, required } : parameter;
}

/** Returns parts that occur more than once, with their names; for equal names the most frequent part. */
function repeatedParts(
  parts: readonly Json[],
  nameOf: (part: Json) => string | undefined,
): ReadonlyMap<string, string> {
  const counts = new Map<string, { readonly name: string; count: number }>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name === undefined) continue;
    const text = JSON.stringify(part);
    const known = counts.get(text);
    if (known === undefined) counts.set(text, { name, count: 1 });
    else known.count += 1;
  }
  const mostFrequent = [...counts].sort(([, a], [, b]) => b.count - a.count);
  const texts = new Map<string, string>();
  for (const [text, { name, count }] of mostFrequent) {
    if (count > 1 && !texts.has(name)) texts.set(name, text);
  }
  return new Map([...texts].map(([name, text]) => [text, name]));
}

/** Replaces the response for one error code by its row of the error table; unshared responses stay inline. */
function shareResponse(response: Json, responses: Json, repeated: ReadonlyMap<string, string>): Json {
  const { description, content, ...rest } = response;
  const body = errorBodyOf(content);
  const code = /^`(\w+)`$/.exec(String(description))?.[1];
  if (code !== undefined && body === 'ErrorResponse') {
    responses[code] = rowOf(code as ErrorCode, content as Json);
    return { $ref: `#/components/responses/${code}` };
  }
  const shared = repeated.get(JSON.stringify(response));
  if (shared !== undefined) {
    responses[shared] = response;
    return { $ref: `#/components/responses/${shared}` };
  }
  if (body === undefined) return { description, ...(content === undefined ? {} : { content }), ...rest };
  responses[body] = { description: 'An error.', content };
  return { $ref: `#/components/responses/${body}`, description };
}

/** Names an error by its first line or its codes, a success by its schema. */
function responseName({ description, content }: Json): string | undefined {
  if (errorBodyOf(content) === undefined) return schemaNames(content)[0];
  const [line = ''] = String(description).split('\n');
  const words = line.match(/\w+/g) ?? [];
  const codes = line.match(/`\w+`/g) ?? [];
  const name = (codes.length > 1 ? words.join('_or_') : words.join('_')).toLowerCase();
  return name.length <= MAX_NAME_LENGTH ? name : `${words[0]}_or_${words.length - 1}_more`;
}

function rowOf(code: ErrorCode, content: Json): Json {
  const { message, type } = ERRORS[code];
  return { description: `\`${code}\` (${type}): ${message}`, content };
}

function errorBodyOf(content: unknown): string | undefined {
  const names = schemaNames(content);
  return names.length === 1 && ERROR_BODIES.includes(names[0] ?? '') ? names[0] : undefined;
}

/** Returns the schema name of each media type; undefined if it has none. */
function schemaNames(content: unknown): (string | undefined)[] {
  const media = Object.values((content ?? {}) as Record<string, { schema?: { $ref?: string } }>);
  return media.map(({ schema }) => schema?.$ref?.split('/').at(-1));
}

function sorted<T>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
