import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Null: straight out. */
export type ProxyRoute = URL | null;

export interface UpstreamPac {
  /** In the order in which they are to be tried; null where the file cannot be had or says nothing that is understood. */
  routesTo(host: string, port: number): Promise<readonly ProxyRoute[] | null>;
}

export interface UpstreamPacOptions {
  /** http, https, file, data or the path of a file. */
  readonly address: string;
  /** Steady, in ms. */
  readonly now: () => number;
  /** User and password for proxies of this host and port; the file names none. */
  readonly credentials: URL | null;
}

/** Companies change it while people work; a file that could not be had is asked for again sooner. */
const RELOAD_MS = 10 * 60_000;
const RETRY_MS = 30_000;
const RESULT_LIFE_MS = 60_000;
const MAX_RESULTS = 2_000;
const LOAD_TIMEOUT_MS = 5_000;
const MAX_FILE_BYTES = 1024 * 1024;
/** A company's program runs in a box of its own: it gets so much time and memory for an answer. */
const RUN_MS = 1_000;
const MEMORY_BYTES = 32 * 1024 * 1024;

/** The company's own PAC file, asked where traffic goes that leaves this computer. */
export function createUpstreamPac(options: UpstreamPacOptions): UpstreamPac {
  let find: FindRoute | null = null;
  let loading: Promise<void> | null = null;
  let dueMs = Number.NEGATIVE_INFINITY;
  const results = new Map<
    string,
    { readonly routes: Promise<readonly ProxyRoute[] | null>; readonly untilMs: number }
  >();

  async function load(): Promise<void> {
    try {
      find = await compilePac(await readPac(options.address));
      results.clear();
      dueMs = options.now() + RELOAD_MS;
    } catch {
      // The one that was there goes on; without any the caller goes the way it knows.
      dueMs = options.now() + RETRY_MS;
    }
  }

  async function findRoutes(host: string, port: number): Promise<readonly ProxyRoute[] | null> {
    const name = isIP(host) === 6 ? `[${host}]` : host;
    try {
      // A PAC file must not see paths.
      const text = await find?.(`https://${name}:${port}/`, host);
      return text === undefined ? null : parseRoutes(text, options.credentials);
    } catch {
      return null;
    }
  }

  return {
    async routesTo(host, port) {
      if (options.now() >= dueMs) {
        loading ??= load().finally(() => {
          loading = null;
        });
        // Only the first caller waits for it.
        if (find === null) await loading;
      }
      if (find === null) return null;
      const key = `${host}:${port}`;
      const known = results.get(key);
      if (known !== undefined && known.untilMs > options.now()) return known.routes;
      if (results.size >= MAX_RESULTS) results.clear();
      const routes = findRoutes(host, port);
      results.set(key, { routes, untilMs: options.now() + RESULT_LIFE_MS });
      return routes;
    },
  };
}

type FindRoute = (url: string, host: string) => Promise<string>;

/** Rejects where it is no such program. */
export async function compilePac(text: string): Promise<FindRoute> {
  // Most computers have no such file, and need not keep these in memory.
  const [{ createPacResolver }, { QuickJS }] = await Promise.all([
    import('pac-resolver'),
    import('quickjs-wasi'),
  ]);
  let stopAtMs = performance.now() + RUN_MS;
  const box = await QuickJS.create({
    memoryLimit: MEMORY_BYTES,
    interruptHandler: () => performance.now() > stopAtMs,
  });
  const find = createPacResolver(box, text);
  return (url, host) => {
    stopAtMs = performance.now() + RUN_MS;
    return find(url, host);
  };
}

/** Rejects where it cannot be had. */
export async function readPac(address: string): Promise<string> {
  if (/^data:/i.test(address)) return (await fetch(address)).text();
  if (/^file:/i.test(address)) return readFile(new URL(address), 'utf8');
  if (!/^https?:/i.test(address)) return readFile(address, 'utf8');
  // The commands of the agent come by here, and few computers name a file of the network.
  const { request } = await import('undici');
  const response = await request(address, { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
  const text = await response.body.text();
  if (response.statusCode !== 200 || text.length > MAX_FILE_BYTES) throw new Error('no PAC file');
  return text;
}

/** `PROXY a:8080; HTTPS b:443; DIRECT`. SOCKS is not spoken here: such way is passed over. */
export function parseRoutes(text: string, credentials: URL | null): readonly ProxyRoute[] | null {
  const routes: ProxyRoute[] = [];
  for (const part of text.split(';')) {
    const [kind = '', address = ''] = part.trim().split(/\s+/);
    if (/^DIRECT$/i.test(kind)) routes.push(null);
    if (!/^(?:PROXY|HTTPS?)$/i.test(kind)) continue;
    const url = URL.parse(`${/^HTTPS$/i.test(kind) ? 'https' : 'http'}://${address}`);
    if (url === null) continue;
    if (credentials?.host === url.host) {
      url.username = credentials.username;
      url.password = credentials.password;
    }
    routes.push(url);
  }
  return routes.length === 0 ? null : routes;
}
