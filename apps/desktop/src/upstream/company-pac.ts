import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createPacResolver } from 'pac-resolver';
import { QuickJS } from 'quickjs-wasi';
import { request } from 'undici';

/** Null: straight out. */
export type Way = URL | null;

export interface CompanyPac {
  /** In the order in which they are to be tried; null where the file cannot be had or says nothing that is understood. */
  waysTo(host: string, port: number): Promise<readonly Way[] | null>;
}

export interface CompanyPacOptions {
  /** http, https or the path of a file. */
  readonly address: string;
  /** Steady, in ms. */
  readonly now: () => number;
  /** User and password for proxies of this host and port; the file names none. */
  readonly credentials: URL | null;
}

/** Companies change it while people work; a file that could not be had is asked for again sooner. */
const RELOAD_MS = 10 * 60_000;
const RETRY_MS = 30_000;
const ANSWER_LIFE_MS = 60_000;
const MAX_ANSWERS = 2_000;
const LOAD_TIMEOUT_MS = 5_000;
const MAX_FILE_BYTES = 1024 * 1024;
/** A company's program runs in a box of its own: it gets so much time and memory for an answer. */
const RUN_MS = 1_000;
const MEMORY_BYTES = 32 * 1024 * 1024;

/** The company's own PAC file, asked where traffic goes that leaves this computer. */
export function createCompanyPac(options: CompanyPacOptions): CompanyPac {
  let find: FindWay | null = null;
  let loading: Promise<void> | null = null;
  let dueMs = Number.NEGATIVE_INFINITY;
  const answers = new Map<
    string,
    { readonly ways: Promise<readonly Way[] | null>; readonly untilMs: number }
  >();

  async function load(): Promise<void> {
    try {
      find = await compilePac(await readPac(options.address));
      answers.clear();
      dueMs = options.now() + RELOAD_MS;
    } catch {
      // The one that was there goes on; without any the caller goes the way it knows.
      dueMs = options.now() + RETRY_MS;
    }
  }

  async function ask(host: string, port: number): Promise<readonly Way[] | null> {
    const name = isIP(host) === 6 ? `[${host}]` : host;
    try {
      // Paths are nobody's business.
      const said = await find?.(`https://${name}:${port}/`, host);
      return said === undefined ? null : readWays(said, options.credentials);
    } catch {
      return null;
    }
  }

  return {
    async waysTo(host, port) {
      if (options.now() >= dueMs) {
        loading ??= load().finally(() => {
          loading = null;
        });
        // Only the first time somebody waits for it.
        if (find === null) await loading;
      }
      if (find === null) return null;
      const key = `${host}:${port}`;
      const known = answers.get(key);
      if (known !== undefined && known.untilMs > options.now()) return known.ways;
      if (answers.size >= MAX_ANSWERS) answers.clear();
      const ways = ask(host, port);
      answers.set(key, { ways, untilMs: options.now() + ANSWER_LIFE_MS });
      return ways;
    },
  };
}

type FindWay = (url: string, host: string) => Promise<string>;

/** Rejects where it is no such program. */
export async function compilePac(text: string): Promise<FindWay> {
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
  if (!/^https?:/i.test(address)) return readFile(address, 'utf8');
  const answer = await request(address, { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200 || text.length > MAX_FILE_BYTES) throw new Error('no PAC file');
  return text;
}

/** `PROXY a:8080; HTTPS b:443; DIRECT`. SOCKS is not spoken here: such way is passed over. */
export function readWays(said: string, credentials: URL | null): readonly Way[] | null {
  const ways: Way[] = [];
  for (const part of said.split(';')) {
    const [kind = '', place = ''] = part.trim().split(/\s+/);
    if (/^DIRECT$/i.test(kind)) ways.push(null);
    if (!/^(?:PROXY|HTTPS?)$/i.test(kind)) continue;
    const url = URL.parse(`${/^HTTPS$/i.test(kind) ? 'https' : 'http'}://${place}`);
    if (url === null) continue;
    if (credentials?.host === url.host) {
      url.username = credentials.username;
      url.password = credentials.password;
    }
    ways.push(url);
  }
  return ways.length === 0 ? null : ways;
}
