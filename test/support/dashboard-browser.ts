/** The dashboard in use: the built pages, in a real Chromium, over a service on a real socket. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { buildDashboard } from '../../scripts/bootstrap/build-dashboard.mjs';
import { findTool, missingTool } from '../../scripts/system-tools.ts';
import { closeAtEnd, sharesParts } from '../../scripts/testing/shared-parts.ts';
import { PASSWORD } from './browser.ts';
import { isWhole } from './part.ts';
import { HANG_LIMIT_MS } from './until.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = findTool('pageBrowser');

/** Why pages cannot be tested here; false if they can. */
export const noBrowser: string | false = missingTool(['pageBrowser']);

const DEVICES = {
  desktop: { width: 1280, height: 860 },
  phone: { width: 390, height: 844 },
} as const;
export type DeviceName = keyof typeof DEVICES;
export type Scheme = 'light' | 'dark';

export interface DashboardBrowser {
  /** Opens a browser profile of its own, and records its complaints. */
  open(options?: { readonly device?: DeviceName; readonly scheme?: Scheme }): Promise<Profile>;
  close(): Promise<void>;
}

export interface Profile {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings of the console, uncaught errors, and violations of the pages' own policy. */
  readonly complaints: string[];
  /** Waits until no request is pending and no placeholder is shown, after a load as well as within the page. */
  settle(): Promise<void>;
  /**
   * Opens a page of the dashboard within the one that is open, which takes a fifth of a load, and waits until it is
   * settled. Data that the page read within ten seconds is not read again: after changes from elsewhere, load it.
   */
  goTo(url: string, heading: string | RegExp): Promise<void>;
  /** Loads a page, and waits until it is settled. */
  load(url: string, heading: string | RegExp): Promise<void>;
}

let shared: Promise<Browser> | undefined;

/** Test files that share a process share a Chromium, each with profiles of its own. */
function shareBrowser(): Promise<Browser> {
  if (shared === undefined) {
    const opened = launch();
    shared = opened;
    closeAtEnd(async () => (await opened).close());
  }
  return shared;
}

async function launch(): Promise<Browser> {
  const fault = await buildDashboard(ROOT, process.execPath);
  assert.equal(fault, undefined, `the dashboard cannot be built: ${fault}`);
  return await chromium.launch({
    executablePath: executablePath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Builds the dashboard if its sources changed, and starts Chromium. */
export async function openDashboardBrowser(): Promise<DashboardBrowser> {
  const isShared = sharesParts();
  const browser = await (isShared ? shareBrowser() : launch());
  const contexts: BrowserContext[] = [];
  return {
    async open({ device = 'desktop', scheme = 'light' } = {}) {
      const context = await browser.newContext({
        viewport: DEVICES[device],
        colorScheme: scheme,
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
        deviceScaleFactor: 1,
      });
      contexts.push(context);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const complaints: string[] = [];
      context.on('console', (message) => {
        // Every visit begins with a request for the session, while there is none.
        const isExpected = /status of (?:401|403|404|409|410|422)/.test(message.text());
        if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text());
      });
      context.on('weberror', (error) => complaints.push(error.error().message));
      const page = await context.newPage();
      page.setDefaultTimeout(HANG_LIMIT_MS);
      const settle = watchRequests(page);
      const shows = async (heading: string | RegExp) => {
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await settle();
      };
      return {
        ...{ context, page, complaints, settle },
        async goTo(url, heading) {
          await navigateTo(page, url);
          await shows(heading);
        },
        async load(url, heading) {
          await page.goto(url);
          await shows(heading);
        },
      };
    },
    async close() {
      for (const context of contexts.splice(0)) await context.close();
      if (!isShared) await browser.close();
    },
  };
}

/** Returns whether a placeholder is shown, two frames later. */
const IS_LOADING = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
  document.querySelector('main [aria-label="Loading"], main [aria-busy="true"]') !== null))))`;
const QUIET_LOOKS = 3;
const MAX_LOOKS = 1_000;

/** Resolves once no request was pending for six frames: Playwright's own wait takes half a second, and needs a load. */
function watchRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return async () => {
    let quiet = 0;
    for (let looks = 0; quiet < QUIET_LOOKS; looks++) {
      assert.ok(looks < MAX_LOOKS, `the page is still loading: ${[...pending].map((r) => r.url())}`);
      const isLoading = (await page.evaluate(IS_LOADING)) === true;
      quiet = isLoading || pending.size > 0 ? 0 : quiet + 1;
    }
  };
}

const TRANSITIONS_END = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished)))`;

/** Resolves once the page has the colors of the scheme: during the transition the contrast differs. */
export async function showScheme(page: Page, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: 'attached' });
  await page.evaluate(TRANSITIONS_END);
}

/** Opens a page as its links do, without a load. */
async function navigateTo(page: Page, url: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(url)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** Signs in by the form, and waits for the requested page. */
export async function signInAt(
  page: Page,
  address: string,
  email: string,
  password = PASSWORD,
): Promise<void> {
  await page.goto(`${address}/dashboard/`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: unknown; readonly html: string }[];
  }[];
}

/** Findings of axe that are moderate, serious or critical by WCAG and by further tags, one line each. */
export function seriousFindings(page: Page, further: readonly string[] = []): Promise<string[]> {
  return runAxe(page, { type: 'tag', values: [...RULES, ...further] });
}

/** Findings that a change of the color scheme can cause on a page that was already checked. */
export function contrastFindings(page: Page): Promise<string[]> {
  return runAxe(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });
}

/** Rows of a table differ little: the first six are read, all in the nightly run. */
const READ = isWhole ? 'document' : `{ exclude: [['main tbody tr:nth-child(n+7)']] }`;

async function runAxe(page: Page, runOnly: object): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const { violations } = (await page.evaluate(
    `axe.run(${READ}, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })`,
  )) as AxeResult;
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, 3).map(({ target, html }) => `${String(target)} ${html.slice(0, 140)}`);
      return `${id}: ${places.join(' | ')}`;
    });
}

/**
 * Makes every text of the tables long, as names of people can be, and finds cells that show only part of it: clipped by
 * themselves, by something in them or by a container. With a mouse, a title shows the whole text.
 */
const CLIPPED_CELLS = `(hasMouse) => {
  const texts = (root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (walker.currentNode.nodeValue.trim() !== '') found.push(walker.currentNode);
    return found;
  };
  const cells = [...document.querySelectorAll('main td')].filter((cell) => cell.getClientRects().length > 0);
  for (const cell of cells) {
    for (const text of texts(cell)) {
      if (text.parentElement.closest('time, button, option, [class*="Badge"]') === null) {
        text.nodeValue += ' and some longer words of a name that a person gave'.repeat(2);
      }
    }
  }
  const clips = (style) => ['hidden', 'clip'].includes(style.overflowX);
  const isCut = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    if (right - left < 2) return false;
    for (let box = text.parentElement; box !== null && box.tagName !== 'MAIN'; box = box.parentElement) {
      if (hasMouse && box.title !== '') return false;
      const style = getComputedStyle(box);
      if (['auto', 'scroll'].includes(style.overflowX)) return false;
      if (!clips(style) || style.clipPath !== 'none') continue;
      const edge = box.getBoundingClientRect();
      if (right > edge.right + 1 || left < edge.left - 1 || bottom > edge.bottom + 3 || top < edge.top - 3) return true;
    }
    return false;
  };
  return [...new Set(cells.flatMap((cell) => texts(cell).filter(isCut).map((text) =>
    (cell.dataset.label ?? '') + ': ' + text.nodeValue.slice(0, 30))))];
}`;

/** Cells whose text is clipped, by title and beginning. Changes the page, so it has to be the last check. */
export async function clippedCells(page: Page, device: DeviceName): Promise<string[]> {
  return (await page.evaluate(`(${CLIPPED_CELLS})(${device === 'desktop'})`)) as string[];
}

/** Selects whose selected text does not fit, by label. */
const CLIPPED_CHOICES = `[...document.querySelectorAll('main input[aria-haspopup="listbox"]')]
  .filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => (box.ariaLabel ?? box.labels[0]?.textContent) + ': ' + box.value)`;

export async function clippedChoices(page: Page): Promise<string[]> {
  return (await page.evaluate(CLIPPED_CHOICES)) as string[];
}

/** Resolves when no request is pending and no placeholder is shown. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page
    .locator('main [aria-label="Loading"], main [aria-busy="true"]')
    .first()
    .waitFor({ state: 'detached' });
}
