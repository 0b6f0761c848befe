import { createHash } from 'node:crypto';

type Json = Record<string, unknown>;

interface Operation {
  readonly responses: Json;
}

interface Document {
  readonly paths: Json;
  readonly webhooks: Json;
  readonly components: Readonly<Record<string, Json>>;
}

/** Errors that the client throws, and the bodies of webhooks: no path refers to them. */
const FOR_PROGRAMS = [
  'ErrorResponse',
  'ValidationError',
  'WebhookEvent',
  'PolicyVerdictRequest',
  'PolicyVerdict',
].map((name) => ({ $ref: `#/components/schemas/${name}` }));
/** The client throws every error as a GatewayError, so one type represents all of them. */
const ANY_ERROR = {
  description: 'An error.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
};

/** Returns the developers' part of the OpenAPI file: operations for a client with a key, and bodies of webhooks. */
export function apiDocument(openApi: string): string {
  const document = JSON.parse(openApi) as Document;
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/api/v1/'))
      .map(([path, methods]) => [path, withOneError(methods as Record<string, Operation>)]),
  );
  const { webhooks: _webhooks, components, ...head } = document;
  const known = { ...components, responses: { ...components['responses'], Error: ANY_ERROR } };
  const needed = { ...head, paths, components: componentsFor([paths, FOR_PROGRAMS], known) };
  // Example responses would be longer than the types they document.
  return JSON.stringify(needed, (name, value) => (name === 'example' ? undefined : value));
}

function withOneError(methods: Readonly<Record<string, Operation>>): Json {
  return Object.fromEntries(
    Object.entries(methods).map(([method, { responses, ...operation }]) => {
      const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
      const hasError = successes.length < Object.keys(responses).length;
      const error = hasError ? { default: { $ref: '#/components/responses/Error' } } : {};
      return [method, { ...operation, responses: { ...Object.fromEntries(successes), ...error } }];
    }),
  );
}

/** Returns the components that `parts` refer to, directly or indirectly. */
function componentsFor(parts: readonly unknown[], components: Document['components']): Json {
  const needed = new Set<string>();
  const waiting = [...parts];
  while (waiting.length > 0) {
    const text = JSON.stringify(waiting.pop()) ?? '';
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      if (needed.has(`${kind}/${name}`)) continue;
      needed.add(`${kind}/${name}`);
      waiting.push(components[kind]?.[name]);
    }
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, members]) => [
      kind,
      kind === 'securitySchemes'
        ? members
        : Object.fromEntries(Object.entries(members).filter(([name]) => needed.has(`${kind}/${name}`))),
    ]),
  );
}

/** First line of the generated file, which identifies its source document. */
export function headOf(document: string): string {
  const digest = createHash('sha256').update(document).digest('hex');
  return `// Made by "npm run golden" from the OpenAPI file (sha256 ${digest}). Not edited by hand.`;
}
