/** A package that only some modules may import, including types. */
export interface Confined {
  readonly packages: readonly string[];
  readonly modules: readonly string[];
  readonly because: string;
}

export const CONFINED: readonly Confined[] = [
  {
    packages: ['fastify', '@fastify/*'],
    modules: ['cloud/routes', 'cloud/plugins', 'cloud/app', 'cloud/edge'],
    because: 'steps that know no HTTP can be called by commands and timed loops too',
  },
  {
    packages: ['nodemailer'],
    modules: ['cloud/email'],
    because: 'an email is recorded first and sent by a job, so that none is lost or sent twice',
  },
  {
    packages: ['openid-client'],
    modules: ['cloud/single-sign-on'],
    because: 'whom a provider vouches for is said in one place, by a library that is held to the standard',
  },
  {
    packages: ['@opentelemetry/*'],
    modules: ['cloud/telemetry'],
    because: 'without a collector none of it is loaded, and what is reported of requests stands in one place',
  },
  {
    packages: ['pkijs', 'asn1js'],
    modules: ['cloud/timestamps'],
    because: 'without a time-stamp authority none of it is loaded',
  },
  {
    packages: ['kysely', 'better-sqlite3', 'pg'],
    modules: ['cloud/storage', 'desktop/journal'],
    because: 'only storage knows SQL, and every engine difference stays in one module',
  },
  {
    packages: ['electron'],
    modules: ['desktop/main', 'desktop/preload'],
    because: 'all else has to run, and be tested, as plain Node',
  },
  {
    packages: ['undici', 'node:https', 'node:http2', 'node:dns', 'node:dns/promises'],
    modules: [
      'cloud/upstream',
      'cloud/outbound',
      'cloud/scrape',
      'cloud/single-sign-on',
      'cloud/timestamps',
      'cloud/webhooks',
      'dashboard/data',
      'desktop/cloud-client',
      'desktop/upstream',
      'desktop/exchange',
      'desktop/proxy',
    ],
    because: 'every address the service connects to has to pass one guard',
  },
];

/** Exports of node's own modules that open connections; their types may be used anywhere. */
export const CONNECTING: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['request', 'get', 'Agent', 'ClientRequest', 'globalAgent'],
  'node:net': ['connect', 'createConnection', 'Socket'],
  'node:tls': ['connect', 'TLSSocket'],
};

/** Globals that open connections. */
export const CONNECTING_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
