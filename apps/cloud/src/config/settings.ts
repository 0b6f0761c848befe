import { PROVIDER_SETTINGS } from './provider-settings.ts';
import { address, flag, integer, type Setting, setting, text, WEB } from './setting.ts';
import { SSO_SETTINGS } from './sso-settings.ts';
import { TELEMETRY_SETTINGS } from './telemetry-settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** All environment variables of the service, and the source of docs/configuration.md. */
export const SETTINGS = {
  host: setting('HOST', 'Address to listen on.', '127.0.0.1', (value) => value ?? '127.0.0.1'),
  port: integer('PORT', 'Port to listen on; 0 takes any free one.', 8787, 0, 65_535),
  workers: integer(
    'WORKERS',
    'Processes that serve on this machine; more than 1 needs DATABASE_URL and REDIS_URL (docs/deployment.md).',
    1,
    1,
    64,
  ),
  publicUrl: address('PUBLIC_URL', 'Address people reach the service at, for links and CORS.', WEB),
  dataDir: setting(
    'GATEWAY_DATA_DIR',
    'Folder of the SQLite database, the master key and audit checkpoints.',
    '.data',
    (value) => value ?? '.data',
  ),
  databaseUrl: address('DATABASE_URL', 'PostgreSQL to use instead of SQLite.', ['postgres:', 'postgresql:']),
  databaseWaitMs: integer(
    'DATABASE_WAIT_MS',
    'How long requests wait for a PostgreSQL that went away, in milliseconds, counted from when it went; 0 fails them immediately.',
    5_000,
    0,
    60_000,
  ),
  redisUrl: address('REDIS_URL', 'Redis for limits shared by several instances.', ['redis:', 'rediss:']),
  masterKey: text('GATEWAY_MASTER_KEY', 'Master key, 32 bytes as hex or base64. Wins over the file.'),
  masterKeyFile: text(
    'GATEWAY_MASTER_KEY_FILE',
    'File of the master key, made on first start with mode 0600. Unset: master.key in the data folder.',
  ),
  previousMasterKeys: text(
    'GATEWAY_MASTER_KEY_PREVIOUS',
    'Further master keys, separated by commas: what they sealed opens, nothing more is sealed with them (docs/master-key.md).',
  ),
  previousMasterKeysFile: text(
    'GATEWAY_MASTER_KEY_PREVIOUS_FILE',
    'File of further master keys, one a line; both settings count.',
  ),
  ...PROVIDER_SETTINGS,
  awsRegion: text('AWS_REGION', 'Region of credentials for Amazon Bedrock that name none.', 'us-east-1'),
  providersFile: text('PROVIDERS_FILE', 'JSON list of further OpenAI-compatible providers.'),
  mcpServersFile: text(
    'MCP_SERVERS_FILE',
    'JSON list of MCP servers that every project reaches through the gateway: `{name, url, headers?}`.',
  ),
  plansFile: text('GATEWAY_PLANS_FILE', 'JSON that overrides rows of the plans table.'),
  upstreamTimeoutMs: integer(
    'UPSTREAM_TIMEOUT_MS',
    'Longest wait for a model provider, in milliseconds.',
    570_000,
    1,
    3_600_000,
  ),
  streamHeadAfterMs: integer(
    'STREAM_HEAD_AFTER_MS',
    'A streamed response that is not there after this time is announced, and comments keep its connection awake, in milliseconds; 0 is never.',
    120_000,
    0,
    3_600_000,
  ),
  upstreamConnections: integer(
    'UPSTREAM_CONNECTIONS',
    'Connections to one provider at a time; further requests wait.',
    2_048,
    1,
    65_535,
  ),
  upstreamProxyUrl: address(
    'UPSTREAM_PROXY_URL',
    'HTTP proxy that leads out to model providers, with user:password@ where it asks for them.',
    WEB,
  ),
  upstreamProxyBypass: text(
    'UPSTREAM_PROXY_BYPASS',
    'Providers that are reached without it, separated by commas: example.com (and what is below it), *.example.com, host:port.',
  ),
  bodyLimitBytes: integer(
    'BODY_LIMIT_BYTES',
    'Largest request body of the proxy routes, in bytes.',
    33_554_432,
    1_024,
    1_073_741_824,
  ),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    'Longest time a request may take to arrive, in milliseconds.',
    300_000,
    100,
    3_600_000,
  ),
  responseLimitBytes: integer(
    'ANSWER_LIMIT_BYTES',
    'Largest answer taken from a provider, in bytes.',
    33_554_432,
    1_024,
    1_073_741_824,
  ),
  scanWorkers: integer(
    'SCAN_WORKERS',
    'Threads for long texts, of each of three size classes; 0 scans all on the main thread, without a deadline.',
    1,
    0,
    64,
  ),
  scanDeadlineMs: integer(
    'SCAN_DEADLINE_MS',
    'Longest time that one scan may take by its own work, waiting not counted; a text that takes longer is blocked.',
    5_000,
    1,
    60_000,
  ),
  scanMemoryBytes: integer(
    'SCAN_MEMORY_BYTES',
    'Memory for what was found in texts, so that a history that is sent again is not read again: digests and findings, no texts, for each organization by itself; flow control takes a quarter more. 0 is off.',
    8_388_608,
    0,
    1_073_741_824,
  ),
  idempotencyBudgetBytes: integer(
    'IDEMPOTENCY_BUDGET_BYTES',
    'Answers that an organization may have stored for repeated requests in 24 hours, in bytes; more are not replayed.',
    268_435_456,
    0,
    1_099_511_627_776,
  ),
  classifierDir: text(
    'GATEWAY_CLASSIFIER_DIR',
    'Folder of an ONNX text classifier for a second opinion where the engine is not sure (docs/detection.md).',
  ),
  classifierDeadlineMs: integer(
    'GATEWAY_CLASSIFIER_DEADLINE_MS',
    'Longest time a second opinion is waited for; later the verdict of the engine stands.',
    150,
    1,
    60_000,
  ),
  classifierWorkers: integer(
    'GATEWAY_CLASSIFIER_WORKERS',
    'Threads that each hold the classifier once.',
    1,
    1,
    64,
  ),
  edgeLimitPerMinute: integer(
    'EDGE_LIMIT_PER_MINUTE',
    'Requests per minute from one IP address; 0 is off.',
    600,
    0,
    10_000_000,
  ),
  loadLimitRequests: integer(
    'LOAD_LIMIT_REQUESTS',
    'Requests that one process reads, evaluates and records at a time, without those that wait for a provider; further requests receive a 503 with Retry-After (docs/deployment.md). 0 is no limit.',
    256,
    0,
    1_000_000,
  ),
  loadLimitBytes: integer(
    'LOAD_LIMIT_BYTES',
    'The same in bytes of their bodies.',
    33_554_432,
    0,
    1_099_511_627_776,
  ),
  authFailureLimit: integer(
    'AUTH_FAILURE_LIMIT',
    'Failed authentications in 5 minutes before an address is held; 0 is off.',
    30,
    0,
    1_000_000,
  ),
  channelPingMs: integer(
    'CHANNEL_PING_MS',
    "Time between two pings on a device's channel, in milliseconds; shorter than the idle timeout of a proxy in front.",
    25_000,
    50,
    600_000,
  ),
  trustProxy: flag(
    'TRUST_PROXY',
    'Take the client address from X-Forwarded-For. Only behind a proxy of your own.',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    'Browser origins allowed beside PUBLIC_URL, separated by commas.',
    'none',
    (value) =>
      (value ?? '')
        .split(',')
        .map((part) => part.trim().replace(/\/+$/, ''))
        .filter((part) => part !== '')
        .map((part) => {
          if (URL.parse(part)?.origin !== part)
            throw new Error(`takes origins such as https://app.example.com, not "${part}"`);
          return part;
        }),
  ),
  metricsToken: text('METRICS_TOKEN', 'Bearer token for /metrics; unset: only loopback clients may read it.'),
  codeHostSecret: text(
    'GITHUB_WEBHOOK_SECRET',
    'Secret of the GitHub webhook (docs/code-hosting.md); unset: every delivery is refused.',
  ),
  auditTimestampUrl: address(
    'AUDIT_TIMESTAMP_URL',
    'Time-stamp authority (RFC 3161) that signs audit checkpoints (docs/audit.md); needs AUDIT_TIMESTAMP_CA_FILE.',
    WEB,
  ),
  auditTimestampCaFile: text(
    'AUDIT_TIMESTAMP_CA_FILE',
    'PEM file of the certificates that time stamps have to lead to.',
  ),
  smtpUrl: address('SMTP_URL', 'Email server; unset keeps email in a local outbox.', ['smtp:', 'smtps:']),
  emailFrom: setting(
    'MAIL_FROM',
    'Sender of emails. Unset: gateway@ the host of PUBLIC_URL.',
    'unset',
    (value) => {
      if (value !== undefined && !/^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value)) {
        throw new Error(`takes an address, or a name and an address in <>, not "${value}"`);
      }
      return value;
    },
  ),
  signUp: setting<'open' | 'invitation'>(
    'SIGN_UP',
    'Who may create an account: invitation (people whom an admin invites) or open (everyone, on the Free plan).',
    'invitation',
    (value) => {
      if (value !== undefined && value !== 'open' && value !== 'invitation') {
        throw new Error(`takes open or invitation, not "${value}"`);
      }
      return value ?? 'invitation';
    },
  ),
  chromiumPath: text(
    'CHROMIUM_PATH',
    'Program that renders pages for `render_js`; unset: chromium or chrome from the search path.',
  ),
  searchPath: setting('PATH', 'Where programs are looked for.', 'of the system', (value) => value ?? ''),
  scrapeAllowPrivate: flag(
    'SCRAPE_ALLOW_PRIVATE',
    'Lets scraping and webhooks reach private addresses. For tests only.',
  ),
  webhookAllowPrivate: flag(
    'WEBHOOK_ALLOW_PRIVATE',
    'Lets webhooks reach private addresses and every port, such as a log collector of your own network. Every admin of a project can then send there.',
  ),
  drainMs: integer(
    'DRAIN_MS',
    'Longest wait for running requests on shutdown, in milliseconds.',
    30_000,
    0,
    600_000,
  ),
  environment: setting(
    'GATEWAY_ENV',
    'Name of this environment; only shown to signed-in admins.',
    'production',
    (value) => value ?? 'production',
  ),
  commit: text('GATEWAY_COMMIT', 'Commit this release was built from. Unset: that of the clone it runs in.'),
  logLevel: setting<LogLevel>('LOG_LEVEL', `One of ${LOG_LEVELS.join(', ')}.`, 'info', (value) => {
    const level = LOG_LEVELS.find((name) => name === (value ?? 'info').toLowerCase());
    if (level === undefined) throw new Error(`takes one of ${LOG_LEVELS.join(', ')}, not "${value}"`);
    return level;
  }),
  ...SSO_SETTINGS,
  ...TELEMETRY_SETTINGS,
} satisfies Record<string, Setting<unknown>>;
