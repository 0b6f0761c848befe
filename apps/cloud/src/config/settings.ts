import { PROVIDER_SETTINGS } from './provider-settings.ts';
import { address, flag, integer, type Setting, setting, text, WEB_SCHEMES } from './setting.ts';
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
    'Processes that serve on this host; more than 1 requires DATABASE_URL and REDIS_URL (docs/deployment.md).',
    1,
    1,
    64,
  ),
  publicUrl: address('PUBLIC_URL', 'Public URL of the service, for links and CORS.', WEB_SCHEMES),
  dataDir: setting(
    'GATEWAY_DATA_DIR',
    'Folder of the SQLite database, the master key and audit checkpoints.',
    '.data',
    (value) => value ?? '.data',
  ),
  databaseUrl: address('DATABASE_URL', 'PostgreSQL to use instead of SQLite.', ['postgres:', 'postgresql:']),
  databaseWaitMs: integer(
    'DATABASE_WAIT_MS',
    'How long requests wait for an unreachable PostgreSQL, in milliseconds, counted from the loss of the connection; 0 fails them immediately.',
    5_000,
    0,
    60_000,
  ),
  redisUrl: address('REDIS_URL', 'Redis for limits shared by several instances.', ['redis:', 'rediss:']),
  masterKey: text(
    'GATEWAY_MASTER_KEY',
    'Master key, 32 bytes as hex or base64. Takes precedence over the file.',
  ),
  masterKeyFile: text(
    'GATEWAY_MASTER_KEY_FILE',
    'File of the master key, created at the first start with mode 0600. Unset: master.key in the data folder.',
  ),
  previousMasterKeys: text(
    'GATEWAY_MASTER_KEY_PREVIOUS',
    'Previous master keys, separated by commas. They decrypt, but never encrypt (docs/master-key.md).',
  ),
  previousMasterKeysFile: text(
    'GATEWAY_MASTER_KEY_PREVIOUS_FILE',
    'File of previous master keys, one per line; both settings apply.',
  ),
  ...PROVIDER_SETTINGS,
  awsRegion: text('AWS_REGION', 'Region of Amazon Bedrock credentials that name none.', 'us-east-1'),
  providersFile: text('PROVIDERS_FILE', 'JSON list of further OpenAI-compatible providers.'),
  mcpServersFile: text(
    'MCP_SERVERS_FILE',
    'JSON list of MCP servers that every project can use through the gateway: `{name, url, headers?}`.',
  ),
  plansFile: text('GATEWAY_PLANS_FILE', 'JSON that overrides rows of the plans table.'),
  upstreamTimeoutMs: integer(
    'UPSTREAM_TIMEOUT_MS',
    'Maximum wait for a model provider, in milliseconds.',
    570_000,
    1,
    3_600_000,
  ),
  streamHeadAfterMs: integer(
    'STREAM_HEAD_AFTER_MS',
    'After this time without a response, the head of a streamed response is sent, and comments keep the connection alive, in milliseconds; 0: never.',
    120_000,
    0,
    3_600_000,
  ),
  upstreamConnections: integer(
    'UPSTREAM_CONNECTIONS',
    'Maximum number of concurrent connections to one provider; further requests wait.',
    2_048,
    1,
    65_535,
  ),
  upstreamProxyUrl: address(
    'UPSTREAM_PROXY_URL',
    'HTTP proxy for requests to model providers, with user:password@ if it requires them.',
    WEB_SCHEMES,
  ),
  upstreamProxyBypass: text(
    'UPSTREAM_PROXY_BYPASS',
    'Hosts that are called without the proxy, separated by commas: example.com (with its subdomains), *.example.com, host:port.',
  ),
  bodyLimitBytes: integer(
    'BODY_LIMIT_BYTES',
    'Maximum request body of the proxy routes, in bytes.',
    33_554_432,
    1_024,
    1_073_741_824,
  ),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    'Maximum time for a request to arrive, in milliseconds.',
    300_000,
    100,
    3_600_000,
  ),
  responseLimitBytes: integer(
    'ANSWER_LIMIT_BYTES',
    'Maximum size of a provider response, in bytes.',
    33_554_432,
    1_024,
    1_073_741_824,
  ),
  scanWorkers: integer(
    'SCAN_WORKERS',
    'Threads for long texts, for each of three size classes; 0 scans everything on the main thread, without a deadline.',
    1,
    0,
    64,
  ),
  scanDeadlineMs: integer(
    'SCAN_DEADLINE_MS',
    'Maximum work time of one scan in milliseconds, without waiting; a text that takes longer is blocked.',
    5_000,
    1,
    60_000,
  ),
  fileReadMs: integer(
    'FILE_READ_MS',
    'Maximum work time for reading the files of one request in milliseconds, without waiting; the rest counts as not scanned.',
    10_000,
    100,
    60_000,
  ),
  scanMemoryBytes: integer(
    'SCAN_MEMORY_BYTES',
    'Memory in bytes for results of scans, so that a repeated history is not scanned again: digests and findings, no texts, for each organization separately; flow control uses a quarter more. 0: off.',
    8_388_608,
    0,
    1_073_741_824,
  ),
  idempotencyBudgetBytes: integer(
    'IDEMPOTENCY_BUDGET_BYTES',
    'Maximum size of the responses stored per organization for Idempotency-Key in 24 hours, in bytes; further responses are not replayed.',
    268_435_456,
    0,
    1_099_511_627_776,
  ),
  classifierDir: text(
    'GATEWAY_CLASSIFIER_DIR',
    'Folder of an ONNX text classifier that gives a second opinion if the engine is unsure (docs/detection.md).',
  ),
  classifierDeadlineMs: integer(
    'GATEWAY_CLASSIFIER_DEADLINE_MS',
    'Maximum wait for a second opinion, in milliseconds; after it, the verdict of the engine applies.',
    150,
    1,
    60_000,
  ),
  classifierWorkers: integer(
    'GATEWAY_CLASSIFIER_WORKERS',
    'Threads for the classifier; each loads it once.',
    1,
    1,
    64,
  ),
  edgeLimitPerMinute: integer(
    'EDGE_LIMIT_PER_MINUTE',
    'Requests per minute from one IP address; 0: no limit.',
    600,
    0,
    10_000_000,
  ),
  loadLimitRequests: integer(
    'LOAD_LIMIT_REQUESTS',
    'Maximum number of requests that one process reads, evaluates and records concurrently, without those that wait for a provider; further requests receive a 503 with Retry-After (docs/deployment.md). 0: no limit.',
    256,
    0,
    1_000_000,
  ),
  loadLimitBytes: integer(
    'LOAD_LIMIT_BYTES',
    'Maximum size of the bodies of these requests, in bytes. 0: no limit.',
    33_554_432,
    0,
    1_099_511_627_776,
  ),
  authFailureLimit: integer(
    'AUTH_FAILURE_LIMIT',
    'Failed authentications in 5 minutes after which an IP address is locked out; 0: off.',
    30,
    0,
    1_000_000,
  ),
  channelPingMs: integer(
    'CHANNEL_PING_MS',
    'Time between two pings on the channel of a device, in milliseconds. Must be shorter than the idle timeout of a proxy in front.',
    25_000,
    50,
    600_000,
  ),
  trustProxy: flag(
    'TRUST_PROXY',
    'Takes the client address from X-Forwarded-For. Enable it only behind your own proxy.',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    'Browser origins allowed in addition to PUBLIC_URL, separated by commas.',
    'none',
    (value) =>
      (value ?? '')
        .split(',')
        .map((part) => part.trim().replace(/\/+$/, ''))
        .filter((part) => part !== '')
        .map((part) => {
          if (URL.parse(part)?.origin !== part)
            throw new Error(`must contain origins such as https://app.example.com, not "${part}"`);
          return part;
        }),
  ),
  metricsToken: text('METRICS_TOKEN', 'Bearer token for /metrics. Unset: only loopback clients may read it.'),
  codeHostSecret: text(
    'GITHUB_WEBHOOK_SECRET',
    'Secret of the GitHub webhook (docs/code-hosting.md). Unset: every delivery is rejected.',
  ),
  auditTimestampUrl: address(
    'AUDIT_TIMESTAMP_URL',
    'Time-stamp authority (RFC 3161) that signs audit checkpoints (docs/audit.md); requires AUDIT_TIMESTAMP_CA_FILE.',
    WEB_SCHEMES,
  ),
  auditTimestampCaFile: text(
    'AUDIT_TIMESTAMP_CA_FILE',
    'PEM file of the certificates that time stamps must chain to.',
  ),
  auditAddressDays: integer(
    'AUDIT_ADDRESS_DAYS',
    'Days for which the audit log shows from which address a client acted; then the address is deleted, the row stays.',
    90,
    1,
    3_650,
  ),
  smtpUrl: address('SMTP_URL', 'Email server. Unset: emails stay in the outbox of the dashboard.', [
    'smtp:',
    'smtps:',
  ]),
  emailFrom: setting(
    'MAIL_FROM',
    'Sender of emails. Unset: gateway@ the host of PUBLIC_URL.',
    'unset',
    (value) => {
      if (value !== undefined && !/^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value)) {
        throw new Error(`must be an email address, or a name and an address in <>, not "${value}"`);
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
        throw new Error(`must be open or invitation, not "${value}"`);
      }
      return value ?? 'invitation';
    },
  ),
  chromiumPath: text(
    'CHROMIUM_PATH',
    'Browser that renders pages for `render_js`. Unset: chromium or chrome from the search path.',
  ),
  searchPath: setting('PATH', 'Where programs are looked for.', 'of the system', (value) => value ?? ''),
  scrapeAllowPrivate: flag(
    'SCRAPE_ALLOW_PRIVATE',
    'Allows scraping and webhooks to reach private addresses. For tests only.',
  ),
  webhookAllowPrivate: flag(
    'WEBHOOK_ALLOW_PRIVATE',
    'Allows webhooks to reach private addresses and every port, such as a log collector in your own network. Every admin of a project can then send there.',
  ),
  drainMs: integer(
    'DRAIN_MS',
    'Maximum wait for running requests on shutdown, in milliseconds.',
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
  commit: text(
    'GATEWAY_COMMIT',
    'Commit that this release was built from. Unset: the commit of the clone that it runs in.',
  ),
  logLevel: setting<LogLevel>('LOG_LEVEL', `One of ${LOG_LEVELS.join(', ')}.`, 'info', (value) => {
    const level = LOG_LEVELS.find((name) => name === (value ?? 'info').toLowerCase());
    if (level === undefined) throw new Error(`must be one of ${LOG_LEVELS.join(', ')}, not "${value}"`);
    return level;
  }),
  ...SSO_SETTINGS,
  ...TELEMETRY_SETTINGS,
} satisfies Record<string, Setting<unknown>>;
