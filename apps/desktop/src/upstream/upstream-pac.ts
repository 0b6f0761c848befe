import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Null: direct. */
export type ProxyRoute = URL | null;

export interface UpstreamPac {
  /** Routes in the order of attempts; null if the file is unavailable or its result is not understood. */
  routesTo(host: string, port: number): Promise<readonly ProxyRoute[] | null>;
}

export interface UpstreamPacOptions {
  /** http, https, file, data or the path of a file. */
  readonly address: string;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** User and password for proxies with this host and port; PAC files contain none. */
  readonly credentials: URL | null;
}

/** Companies change the file during work hours; a failed load is retried sooner. */
const RELOAD_MS = 10 * 60_000;
const RETRY_MS = 30_000;
const RESULT_LIFE_MS = 60_000;
const MAX_RESULTS = 2_000;
const LOAD_TIMEOUT_MS = 5_000;
const MAX_FILE_BYTES = 1024 * 1024;
/** The PAC program runs in a sandbox, with these limits of processor time and memory for each result. */
const RUN_MS = 1_000;
const MEMORY_BYTES = 32 * 1024 * 1024;

/** Evaluates the company's own PAC file for traffic that leaves this computer. */
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
      // A previous file stays in use; without one the caller uses its default route.
      dueMs = options.now() + RETRY_MS;
    }
  }

  async function findRoutes(host: string, port: number): Promise<readonly ProxyRoute[] | null> {
    const name = isIP(host) === 6 ? `[${host}]` : host;
    try {
      // Without the path, which a PAC file must not see.
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
        // Only callers without a file wait for it.
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

/** Rejects if the text is not a PAC program. */
export async function compilePac(text: string): Promise<FindRoute> {
  // Most computers have no PAC file, and need not keep these modules in memory.
  const [{ createPacResolver }, { QuickJS }] = await Promise.all([
    import('pac-resolver'),
    import('quickjs-wasi'),
  ]);
  let stopAtMs = Number.POSITIVE_INFINITY;
  const box = await QuickJS.create({
    memoryLimit: MEMORY_BYTES,
    interruptHandler: () => usedMs() > stopAtMs,
  });
  stopAtMs = usedMs() + RUN_MS;
  const find = createPacResolver(box, text);
  return (url, host) => {
    stopAtMs = usedMs() + RUN_MS;
    return find(url, host);
  };
}

/** Processor time: a busy computer must not make the file of the company count as a loop. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Rejects if the file is unavailable. */
export async function readPac(address: string): Promise<string> {
  if (/^data:/i.test(address)) return (await fetch(address)).text();
  if (/^file:/i.test(address)) return readFile(new URL(address), 'utf8');
  if (!/^https?:/i.test(address)) return readFile(address, 'utf8');
  // Imported late: agent commands load this file, and few computers have a PAC file on the network.
  const { request } = await import('undici');
  const response = await request(address, { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
  const text = await response.body.text();
  if (response.statusCode !== 200 || text.length > MAX_FILE_BYTES) throw new Error('no PAC file');
  return text;
}

/** Parses `PROXY a:8080; HTTPS b:443; DIRECT`. SOCKS is not supported: its entries are skipped. */
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
