import { CodedError } from '@csg/shared/contract';

const BASE = '/api/v1';
const ROUTES = [
  ...['chat/completions', 'completions', 'responses', 'embeddings', 'moderations', 'models'],
  ...['images/generations', 'guard', 'security/scan', 'security/redact', 'mcp'],
];
/** What clients append whose base URL ends with `/api`, because they name the version themselves. */
const VERSIONED = [
  { client: 'Anthropic', path: /\/v1(\/messages(?:\/count_tokens)?)$/, under: BASE },
  { client: 'Gemini', path: /\/v1beta(\/models(?:\/[\w.-]+(?::\w+)?)?)$/, under: '/api/v1beta' },
  { client: 'Azure OpenAI', path: /\/openai(\/(?:deployments\/[\w.-]+|v1)\/[a-z/]+)$/, under: '/api/openai' },
] as const;

/** Returns not_found; suggests the URL that was probably meant if the base URL is wrong or a slash ends the path. */
export function notFound(url: string): CodedError {
  const hint = findHint(url);
  return new CodedError('not_found', hint === undefined ? {} : { message: `Not found. ${hint}` });
}

/** Returns the not_found of a preflight. */
export function notAllowedOrigin(): CodedError {
  return new CodedError('not_found', {
    message:
      'Scripts of this origin may not call the service. Its operator can allow the origin with CORS_ORIGINS.',
  });
}

function findHint(url: string): string | undefined {
  const given = url.split('?', 1)[0] ?? '';
  const path = given.replace(/\/+$/, '');
  for (const { client, path: pattern, under } of VERSIONED) {
    const appended = pattern.exec(path)?.[1];
    if (appended !== undefined)
      return suggest(given, under + appended, `The base URL for ${client} clients ends with /api.`);
  }
  const [route] = ['messages', 'messages/count_tokens', ...ROUTES].filter((name) =>
    path.endsWith(`/${name}`),
  );
  return route === undefined
    ? undefined
    : suggest(given, `${BASE}/${route}`, `The base URL for clients ends with ${BASE}.`);
}

function suggest(given: string, meant: string, base: string): string | undefined {
  if (given === meant) return undefined;
  const endsWithSlash = given.replace(/\/+$/, '') === meant;
  return `Did you mean ${meant}? ${endsWithSlash ? 'The path of the request ends with a slash.' : base}`;
}
