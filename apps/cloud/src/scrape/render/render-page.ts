import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, CDPSession, Page, Response } from 'playwright';
import { checkUrl } from '../../outbound/check-url.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import { type FetchedPage, MAX_PAGE_BYTES } from '../fetch-page.ts';
import { PageError, type PageErrorReason } from '../page-error.ts';
import { type BrowserHost, createBrowserHost } from './browser-host.ts';
import { type GuardedProxy, type Passage, startGuardedProxy } from './guarded-proxy.ts';
import { markHidden } from './mark-hidden.ts';

export interface PageRenderer {
  /**
   * Returns one page as a browser renders it; `timeoutMs` covers everything. Rejects with PageError and nothing else:
   * `not_a_page` if a browser shows no document for it (fetch it instead).
   */
  render(url: string, timeoutMs: number): Promise<FetchedPage>;
  close(): Promise<void>;
}

/** Limit for everything a page loads, in bytes on the wire. */
const MAX_LOADED_BYTES = 50 * 1024 * 1024;
const MAX_ELEMENTS = 50_000;
const MAX_FRAMES = 15;
/** How long to wait for a page that is still loading after it was shown. */
const SETTLE_MS = 2_000;
/** Time reserved for reading a page that used up its timeout. */
const RESERVE_MS = 1_500;
const CLOSE_MS = 2_000;

export function createPageRenderer(executablePath: string, rules: GuardRules = {}): PageRenderer {
  const host = createBrowserHost(executablePath);
  let proxy: Promise<GuardedProxy> | undefined;
  return {
    async render(url, timeoutMs) {
      const checked = checkUrl(url, rules);
      if (!checked.ok) throw new PageError('address_refused', { denyReason: checked.reason });
      const endsMs = performance.now() + timeoutMs;
      const deadline = AbortSignal.timeout(timeoutMs);
      proxy ??= startGuardedProxy(rules);
      const { open, url: server } = await proxy;
      const passage = open(MAX_LOADED_BYTES);
      const late = new Promise<never>((_resolve, reject) => {
        deadline.addEventListener('abort', () => reject(new PageError('timeout')), { once: true });
      });
      late.catch(() => {});
      const visit: Visit = { host: checked.url.hostname };
      try {
        const work = host.use(
          (browser) =>
            inContext(host, browser, { server, passage }, (page, context) =>
              showPage(page, context, { url: checked.url, visit }, passage, () => endsMs - performance.now()),
            ),
          deadline,
        );
        return await Promise.race([work, late]);
      } catch (error) {
        throw toPageError(error, passage, visit);
      } finally {
        passage.end();
      }
    },
    async close() {
      await host.close();
      await (await proxy)?.close();
    },
  };
}

async function inContext<T>(
  host: BrowserHost,
  browser: Browser,
  { server, passage }: { readonly server: string; readonly passage: Passage },
  work: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    proxy: { server, username: passage.username, password: passage.password },
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
    ignoreHTTPSErrors: false,
  });
  try {
    const page = await context.newPage();
    context.on('page', (other) => {
      if (other !== page) void other.close().catch(() => {});
    });
    // Opens closed shadow trees, so that they are read too.
    await context.addInitScript(
      'Element.prototype.attachShadow = (attach => function (options) { return attach.call(this, { ...options, mode: "open" }); })(Element.prototype.attachShadow)',
    );
    return await work(page, context);
  } finally {
    // If a page cannot be closed, the whole browser is killed.
    const closed = await Promise.race([
      context.close().then(
        () => true,
        () => true,
      ),
      new Promise<boolean>((resolve) => void setTimeout(resolve, CLOSE_MS, false).unref()),
    ]);
    if (!closed) host.kill();
  }
}

/** The host of the page itself, after every redirect. */
interface Visit {
  host: string;
}

async function showPage(
  page: Page,
  context: BrowserContext,
  { url, visit }: { readonly url: URL; readonly visit: Visit },
  passage: Passage,
  leftMs: () => number,
): Promise<FetchedPage> {
  page.on('request', (request) => {
    const isPage = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (isPage) visit.host = new URL(request.url()).hostname;
  });
  const timeout = Math.max(1, leftMs() - RESERVE_MS);
  const response = await page.goto(url.href, { waitUntil: 'domcontentloaded', timeout });
  requireDocument(response, passage);
  const settleMs = Math.min(SETTLE_MS, leftMs() - RESERVE_MS);
  if (settleMs > 0) await page.waitForLoadState('networkidle', { timeout: settleMs }).catch(() => {});
  const attribute = `data-${randomBytes(8).toString('hex')}`;
  const text = (await readFrames(page, context, attribute)).join('\n');
  if (passage.isSpent()) throw new PageError('too_large');
  if (text.length > MAX_PAGE_BYTES) throw new PageError('too_large');
  return { url: page.url(), type: 'html', text, computed: attribute };
}

function requireDocument(response: Response | null, passage: Passage): void {
  if (response === null) throw new PageError('unreachable');
  const denyReason = passage.denyReasonOf(new URL(response.url()).hostname);
  if (denyReason !== undefined) throw new PageError('address_refused', { denyReason });
  const status = response.status();
  if (status < 200 || status > 299) throw new PageError('page_status', { pageStatus: status });
  const type = response.headers()['content-type'] ?? 'text/html';
  if (!/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) throw new PageError('not_a_page');
}

/** Returns the HTML of every frame, marked in an isolated world that the page's scripts cannot change. */
async function readFrames(page: Page, context: BrowserContext, attribute: string): Promise<string[]> {
  const found: string[] = [];
  const session = await context.newCDPSession(page);
  const { frameTree } = (await session.send('Page.getFrameTree')) as { frameTree: FrameTree };
  for (const frameId of idsOf(frameTree).slice(0, MAX_FRAMES)) {
    found.push(await readFrame(session, frameId, attribute));
  }
  // Cross-site frames run in processes of their own.
  for (const frame of page.frames().slice(1, MAX_FRAMES)) {
    const own = await context.newCDPSession(frame).catch(() => null);
    if (own === null) continue;
    const tree = (await own.send('Page.getFrameTree')) as { frameTree: FrameTree };
    found.push(await readFrame(own, tree.frameTree.frame.id, attribute));
  }
  return found.filter((text) => text !== '');
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

function idsOf(tree: FrameTree): string[] {
  return [tree.frame.id, ...(tree.childFrames ?? []).flatMap(idsOf)];
}

async function readFrame(session: CDPSession, frameId: string, attribute: string): Promise<string> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `(${String(markHidden)})(${JSON.stringify(attribute)}, ${MAX_ELEMENTS})`,
    contextId: executionContextId,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined || typeof result.value !== 'string') throw new PageError('unreachable');
  return result.value;
}

function toPageError(error: unknown, passage: Passage, { host }: Visit): PageError {
  if (error instanceof PageError) return error;
  // Of what else the page loads, a denial is no reason: it is shown without it.
  const denyReason = passage.denyReasonOf(host);
  if (denyReason !== undefined) return new PageError('address_refused', { denyReason, cause: error });
  if (passage.isSpent()) return new PageError('too_large', { cause: error });
  const { name = '', message = '' } = error as Error;
  return new PageError(name === 'TimeoutError' ? 'timeout' : reasonOf(message), { cause: error });
}

function reasonOf(message: string): PageErrorReason {
  if (/Download is starting|ERR_ABORTED/.test(message)) return 'not_a_page';
  if (/ERR_CERT/.test(message)) return 'certificate';
  if (/ERR_TOO_MANY_REDIRECTS/.test(message)) return 'too_many_redirects';
  if (/ERR_(?:CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED|EMPTY_RESPONSE|CONNECTION_RESET)/.test(message)) {
    return 'cut_off';
  }
  return 'unreachable';
}
