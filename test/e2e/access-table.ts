import type { Permission } from '@csg/shared/contract';

/**
 * Who may call each route, by interface.md and section 2 of decisions.md. A route that is missing here fails the test.
 */
export interface Row {
  readonly scope: Permission | null;
  /** Scopes that are accepted as well. */
  readonly orScopes?: readonly Permission[];
  /** `only`: device credentials and nothing else. */
  readonly device?: boolean | 'only';
  /** The code for missing and unknown keys is `unauthorized`. */
  readonly endpoint?: boolean;
  readonly body?: () => object;
  readonly status?: number;
  /** The call revokes the calling device, so each call uses a new one. */
  readonly endsDevice?: boolean;
}

export const chat = () => ({ model: 'gpt-test', messages: [{ role: 'user', content: 'What is the time?' }] });
const conversation = () => ({ messages: [{ role: 'user', content: [{ text: 'What is the time?' }] }] });
const contents = () => ({ contents: [{ role: 'user', parts: [{ text: 'What is the time?' }] }] });
const embedded = () => ({ content: { parts: [{ text: 'What is the time?' }] } });
export const ROUTES: Readonly<Record<string, Row>> = {
  'GET /health': { scope: null },
  'POST /enroll': {
    scope: null,
    body: () => ({ token: 'svc_enroll_unknown', device_name: 'x', platform: 'linux' }),
    status: 401,
  },
  'POST /guard': {
    scope: 'scan',
    device: true,
    endpoint: true,
    body: () => ({ messages: [{ role: 'user', content: 'hello' }] }),
  },
  'POST /security/scan': { scope: 'scan', device: true, endpoint: true, body: () => ({ content: 'hello' }) },
  'POST /security/redact': {
    scope: 'scan',
    device: true,
    endpoint: true,
    body: () => ({ content: 'hello' }),
  },
  'POST /scrape': { scope: 'scrape', body: () => ({ url: 'http://127.0.0.1/' }), status: 400 },
  'POST /github/webhook': { scope: null, body: () => ({}), status: 401 },
  'POST /scrape/batch': { scope: 'scrape', body: () => ({ urls: ['http://127.0.0.1/'] }) },
  'GET /scrape/batch/:job_id': { scope: 'scrape' },
  'POST /agent/validate-tool': {
    scope: 'agent',
    body: () => ({ agent_id: 'a', tool_name: 'files.read', arguments: { path: 'a.md' } }),
  },
  'POST /mcp': {
    scope: 'scan',
    orScopes: ['scrape', 'agent'],
    body: () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  },
  'GET /responses': { scope: 'proxy', status: 426 },
  'POST /mcp/:server': {
    scope: 'proxy',
    body: () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    status: 404,
  },
  'GET /mcp/:server': { scope: 'proxy', status: 404 },
  'DELETE /mcp/:server': { scope: 'proxy', status: 404 },
  'POST /agent/hooks': {
    scope: 'agent',
    device: true,
    body: () => ({ hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'What is the time?' }),
  },
  'GET /agent/:agent_id/stats': { scope: 'agent' },
  'GET /agent/reviews/:review_id': { scope: 'agent' },
  'POST /chat/completions': { scope: 'proxy', body: chat },
  'POST /messages': { scope: 'proxy', body: () => ({ ...chat(), max_tokens: 9 }) },
  'POST /messages/count_tokens': { scope: 'proxy', body: chat },
  'POST /responses': { scope: 'proxy', body: () => ({ model: 'gpt-test', input: 'What is the time?' }) },
  'POST /completions': { scope: 'proxy', body: () => ({ model: 'm', prompt: 'What is the time?' }) },
  'POST /embeddings': { scope: 'proxy', body: () => ({ model: 'm', input: 'What is the time?' }) },
  'POST /moderations': { scope: 'proxy', body: () => ({ model: 'm', input: 'What is the time?' }) },
  'POST /images/generations': { scope: 'proxy', body: () => ({ model: 'm', prompt: 'A clock' }) },
  'POST /responses/input_tokens': { scope: 'proxy', body: () => ({ model: 'm', input: 'Hi' }) },
  'POST /responses/compact': { scope: 'proxy', body: () => ({ model: 'm', input: 'Hi' }) },
  'GET /responses/:response_id': { scope: 'proxy' },
  'DELETE /responses/:response_id': { scope: 'proxy' },
  'POST /responses/:response_id/cancel': { scope: 'proxy' },
  'POST /models/:model:generateContent': { scope: 'proxy', body: contents },
  'POST /models/:model:streamGenerateContent': { scope: 'proxy', body: contents },
  'POST /models/:model:countTokens': { scope: 'proxy', body: contents },
  'POST /models/:model:embedContent': { scope: 'proxy', body: embedded },
  'POST /models/:model:batchEmbedContents': { scope: 'proxy', body: () => ({ requests: [embedded()] }) },
  'POST /projects/:project_id/locations/:location/publishers/anthropic/models/:model:rawPredict': {
    scope: 'proxy',
    body: () => ({ ...chat(), max_tokens: 9 }),
  },
  'POST /projects/:project_id/locations/:location/publishers/anthropic/models/:model:streamRawPredict': {
    scope: 'proxy',
    body: () => ({ ...chat(), max_tokens: 9 }),
  },
  ...Object.fromEntries(
    ['converse', 'converse-stream', 'invoke', 'invoke-with-response-stream'].map((action) => [
      `POST /model/:model/${action}`,
      { scope: 'proxy' as const, body: conversation },
    ]),
  ),
  'GET /models': { scope: 'proxy' },
  'GET /models/:model': { scope: 'proxy' },
  'GET /api-keys': { scope: 'keys' },
  'POST /api-keys': { scope: 'keys', body: () => ({ name: 'made', permissions: ['keys'] }) },
  'DELETE /api-keys/:key_id': { scope: 'keys', status: 204 },
  'PATCH /api-keys/:key_id': { scope: 'keys', body: () => ({ daily_token_limit: 1_000_000 }) },
  'PUT /api-keys/:key_id/toggle': { scope: 'keys' },
  'GET /api-keys/:key_id/reveal': { scope: 'keys' },
  'POST /api-keys/:key_id/rotate': { scope: 'keys', body: () => ({}) },
  'GET /projects': { scope: 'projects' },
  'POST /projects': { scope: 'projects', body: () => ({ name: 'made' }) },
  'PATCH /projects/:project_id': { scope: 'projects', body: () => ({ on_unscanned: 'block' }) },
  'GET /usage/stats': { scope: 'usage' },
  'GET /policies': { scope: 'policies', device: true },
  'GET /security-testing/tests': { scope: 'proxy' },
  'POST /security-testing/run/:test_name': { scope: 'proxy', body: () => ({}) },
  'POST /security-testing/run-custom': { scope: 'proxy', body: () => ({ custom_prompt: 'hello' }) },
  'POST /security-testing/run-all': { scope: 'proxy', body: () => ({}) },
  'POST /devices/heartbeat': {
    scope: 'scan',
    device: 'only',
    body: () => ({ agent_version: '1.0.0', proxy_restarts: 0, supervisor_state: 'quiet' }),
  },
  'GET /devices/config': { scope: 'scan', device: 'only' },
  'POST /devices/events': { scope: 'scan', device: 'only', body: () => ({ events: [] }) },
  'GET /devices/managed-policy': { scope: 'scan', device: 'only' },
  'POST /devices/unenroll': { scope: 'scan', device: 'only', endsDevice: true },
  // The request has no upgrade header; test/cloud/routes/device-channel.test.ts sends one.
  'GET /devices/channel': { scope: 'scan', device: 'only', status: 426 },
  'POST /exceptions': {
    scope: 'exceptions',
    device: true,
    body: () => ({ destination_host: 'chatgpt.com' }),
  },
  'GET /exceptions': { scope: 'exceptions', device: true },
  'GET /exceptions/active': { scope: 'exceptions', device: true },
  'GET /exceptions/:exception_id': { scope: 'exceptions', device: true },
  'POST /exceptions/:exception_id/cancel': { scope: 'exceptions', device: true },
  'POST /events/:event_id/feedback': {
    scope: 'exceptions',
    body: () => ({ verdict: 'false_positive' }),
    status: 201,
  },
  'GET /tool-requests': { scope: 'tool_requests', device: true },
  'POST /tool-requests': {
    scope: 'tool_requests',
    device: true,
    body: () => ({ requested_host: 'grok.com' }),
  },
  'POST /tool-requests/:request_id/cancel': { scope: 'tool_requests', device: true },
};

/** Outside of /api/v1: these routes are public, and no others. */
export const OPEN = [
  ...['/', '/version', '/health', '/health/ready', '/metrics', '/openapi.json'],
  ...['/docs', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/index.html'],
  ...['/docs/static/swagger-initializer.js', '/docs/static/theme/theme.css'],
  ...['/docs/guide', '/docs/guide/search', '/docs/guide/:name', '/docs/guide/guide.css'],
];
