import type { Browser, BrowserServer } from 'playwright';

export interface BrowserHost {
  /** Runs `work` with the browser, which is started if necessary; always releases its slot. */
  use<T>(work: (browser: Browser) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Kills the browser immediately; the next use starts a new one. */
  kill(): void;
  close(): Promise<void>;
}

/** Concurrent pages; others wait within their own timeout. */
const MAX_PAGES = 2;
/** Number of pages after which the browser is replaced, to free what it leaks. */
const PAGES_EACH = 100;
const IDLE_MS = 60_000;
const START_MS = 15_000;

/** Blocks all background traffic of the browser and forces everything, including loopback, through the proxy. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-dev-shm-usage',
  '--dns-prefetch-disable',
  '--no-pings',
  '--mute-audio',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--renderer-process-limit=4',
  '--js-flags=--max-old-space-size=512',
];

export function createBrowserHost(executablePath: string): BrowserHost {
  let running: Promise<{ server: BrowserServer; browser: Browser }> | undefined;
  let pages = 0;
  let busy = 0;
  let idle: NodeJS.Timeout | undefined;
  const waiting: (() => void)[] = [];

  function start(): NonNullable<typeof running> {
    if (running !== undefined) return running;
    pages = 0;
    const started = (async () => {
      // Large, and used nowhere else: loaded with the first page.
      const { chromium } = await import('playwright');
      const server = await chromium.launchServer({
        executablePath,
        headless: true,
        args: ARGUMENTS,
        // Chromium's own sandbox is not available to root.
        chromiumSandbox: process.getuid?.() !== 0,
        timeout: START_MS,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
      const browser = await chromium.connect(server.wsEndpoint());
      server.on('close', () => {
        if (running === started) running = undefined;
      });
      return { server, browser };
    })();
    running = started;
    started.catch(() => {
      if (running === started) running = undefined;
    });
    return started;
  }

  function stop(): Promise<void> {
    const stopped = running;
    running = undefined;
    return stopped === undefined
      ? Promise.resolve()
      : stopped.then(({ server }) => server.kill()).catch(() => {});
  }

  async function take(signal: AbortSignal): Promise<void> {
    if (busy >= MAX_PAGES) {
      await new Promise<void>((resolve, reject) => {
        const turn = (): void => {
          signal.removeEventListener('abort', late);
          resolve();
        };
        const late = (): void => {
          waiting.splice(waiting.indexOf(turn), 1);
          reject(signal.reason);
        };
        waiting.push(turn);
        signal.addEventListener('abort', late, { once: true });
      });
    }
    busy++;
    clearTimeout(idle);
  }

  function giveBack(): void {
    busy--;
    waiting.shift()?.();
    if (busy > 0) return;
    if (pages >= PAGES_EACH) void stop();
    else idle = setTimeout(() => void stop(), IDLE_MS).unref();
  }

  return {
    async use(work, signal) {
      await take(signal);
      try {
        const { browser } = await start();
        pages++;
        return await work(browser);
      } finally {
        giveBack();
      }
    },
    kill: () => void stop(),
    async close() {
      clearTimeout(idle);
      await stop();
    },
  };
}
