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
    because: 'steps without HTTP can also be called by commands and jobs',
  },
  {
    packages: ['nodemailer'],
    modules: ['cloud/email'],
    because: 'an email is stored first and sent by a job, so that none is lost or sent twice',
  },
  {
    packages: ['openid-client'],
    modules: ['cloud/single-sign-on'],
    because: 'identities are verified in one place, by a certified library',
  },
  {
    packages: ['@opentelemetry/*'],
    modules: ['cloud/telemetry'],
    because:
      'without a collector none of it is loaded, and one place defines what is reported about requests',
  },
  {
    packages: ['pkijs', 'asn1js'],
    modules: ['cloud/timestamps'],
    because: 'without a time-stamp authority none of it is loaded',
  },
  {
    packages: ['kysely', 'better-sqlite3', 'pg'],
    modules: ['cloud/storage', 'desktop/journal'],
    because: 'only storage uses SQL, so that differences between engines stay in one module',
  },
  {
    packages: ['electron'],
    modules: ['desktop/main', 'desktop/preload'],
    because: 'everything else must run, and be tested, as plain Node',
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
    because: 'every address that the service connects to must pass one guard',
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
