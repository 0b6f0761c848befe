import { CodedError } from '@csg/shared/contract';
import { trimEndBy } from '@csg/shared/text';

const BASE = '/api/v1';
const ROUTES = [
  ...['chat/completions', 'completions', 'responses', 'embeddings', 'moderations', 'models'],
  ...['images/generations', 'guard', 'security/scan', 'security/redact', 'mcp'],
];
/** What clients append whose base URL ends with `/api`, because they name the version themselves. */
const VERSIONED = [
  { client: 'Anthropic', path: /\/v1(\/messages(?:\/count_tokens)?)$/, under: BASE },
  { client: 'Gemini', path: /\/v1beta(\/models(?:\/[\w.-]+(?::\w+)?)?)$/, under: '/api/v1beta' },
  {
    client: 'Azure OpenAI',
    path: /\/openai(\/(?:deployments\/[\w.-]{1,128}|v1)\/[a-z/]{1,64})$/,
    under: '/api/openai',
  },
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

/** Returns a hint if the path of `url` is one that `isRoute` accepts, but for slashes at its end. */
export function slashHint(url: string, isRoute: (path: string) => boolean): string | undefined {
  const { given, path } = pathOf(url);
  return given !== path && isRoute(path)
    ? `Did you mean ${path}? The path of the request ends with a slash.`
    : undefined;
}

/** The path as given, and without slashes at its end. */
function pathOf(url: string): { readonly given: string; readonly path: string } {
  const given = url.split('?', 1)[0] ?? '';
  return { given, path: trimEndBy(given, /\//) };
}

function findHint(url: string): string | undefined {
  const { path } = pathOf(url);
  for (const { client, path: pattern, under } of VERSIONED) {
    const appended = pattern.exec(path)?.[1];
    if (appended !== undefined)
      return suggest(url, under + appended, `The base URL for ${client} clients ends with /api.`);
  }
  const [route] = ['messages', 'messages/count_tokens', ...ROUTES].filter((name) =>
    path.endsWith(`/${name}`),
  );
  return route === undefined
    ? undefined
    : suggest(url, `${BASE}/${route}`, `The base URL for clients ends with ${BASE}.`);
}

function suggest(url: string, meant: string, base: string): string | undefined {
  if (pathOf(url).given === meant) return undefined;
  return slashHint(url, (path) => path === meant) ?? `Did you mean ${meant}? ${base}`;
}
