/** Conveniences of the dashboard: search by keyboard, shortcuts, snippets, first steps, documentation, languages. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signInAs } from '../support/browser.ts';
import {
  type DashboardBrowser,
  noBrowser,
  openDashboardBrowser,
  type Profile,
  seriousFindings,
  signInAt,
} from '../support/dashboard-browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

describe('conveniences of the dashboard', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: DashboardBrowser;
  let email: string;
  let profile: Profile;
  let at: (place: string) => string;
  before(async () => {
    browser = await openDashboardBrowser();
    gateway = await startGateway();
    email = (await (await signInAs(gateway, 'owner')).whoAmI()).body.user.email;
    profile = await browser.open();
    at = (place) => `${gateway.address}/dashboard/${place}`;
    await signInAt(profile.page, gateway.address, email);
    await profile.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('Ctrl+K finds pages, events and documentation', async () => {
    const { page, complaints } = profile;
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.waitFor();
    const search = page.getByLabel('Search pages, events and documentation');
    await search.fill('audit');
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await search.fill('evt_0000');
    await page.getByText('Open event evt_0000').click();
    await page.waitForURL(/\/events\/evt_0000$/);
    await page.keyboard.press('Control+k');
    await search.fill('rotate a key');
    await page.getByText('Search the documentation for').click();
    await page.getByRole('heading', { name: /^Results for/ }).waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await page.goBack();
    assert.deepEqual(complaints, []);
  });

  test('g and a letter open a page, but not while typing and not when disabled', async () => {
    const { page } = profile;
    await profile.goTo(at(''), 'Overview');
    // The two keys count as a shortcut within one second only, which a busy computer may exceed.
    const events = page.getByRole('heading', { level: 1, name: 'Events' });
    for (let tries = 0; tries < 10 && !(await events.isVisible()); tries++) {
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      await events.waitFor({ timeout: 5_000 }).catch(() => {});
    }
    await events.waitFor();
    await page.getByLabel('Search events').click();
    await page.keyboard.type('gk');
    assert.match(page.url(), /\/events/);
    await page.getByRole('heading', { level: 1, name: 'Events' }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await page.getByLabel('Shortcuts of single keys').click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    assert.match(page.url(), /\/events/);
  });

  test('first steps are checked off automatically and can be hidden', async () => {
    const { page } = profile;
    await profile.goTo(at(''), 'Overview');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.waitFor();
    assert.equal(await steps.getByLabel('done').count(), 0);
    await steps.getByRole('link', { name: 'Test a text' }).click();
    await page.getByLabel('Text', { exact: true }).fill('Hello');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('No threats found').waitFor();
    await gateway.call('POST', '/api/v1/security/scan', { body: { content: 'Hello' } });
    await gateway.storage.flush();
    await profile.load(at(''), 'Overview');
    await steps.waitFor();
    assert.equal(await steps.getByLabel('done').count(), 2, 'the text and the key');
    await steps.getByRole('button', { name: 'Hide' }).click();
    await steps.waitFor({ state: 'detached' });
  });

  test('a new key comes with a snippet for each language that contains it', async () => {
    const { page } = profile;
    await profile.goTo(at('keys'), 'API keys');
    await page.getByRole('button', { name: 'Create an API key' }).first().click();
    await page.getByPlaceholder('Support bot, production').fill('Snippets');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog', { name: 'API key created' });
    const key = (await dialog.locator('pre').first().textContent()) ?? 'none';
    assert.match(key, /^svc_live_/);
    for (const [language, line] of [
      ['Python', `default_headers={"X-API-Key": "${key}"}`],
      ['Node.js', `baseURL: '${gateway.address}/api/v1'`],
      ['Anthropic', `base_url="${gateway.address}/api"`],
    ] as const) {
      await dialog.getByText(language, { exact: true }).click();
      assert.ok((await dialog.textContent())?.includes(line), language);
    }
    assert.deepEqual(await seriousFindings(page), []);
  });

  test('a list is sorted by a column: ascending, descending, original order', async () => {
    const { page } = profile;
    await gateway.addKey({ name: 'Archive 10' });
    await gateway.addKey({ name: 'archive 9' });
    await profile.load(at('keys'), 'API keys');
    const names = page.getByRole('table', { name: 'API keys' }).locator('tbody tr td:first-child');
    await names.first().waitFor();
    const shown = async () => (await names.allInnerTexts()).map((text) => text.split('\n')[0]!);
    const unsorted = await shown();
    const sort = page.getByRole('button', { name: 'Name', exact: true });
    await sort.click();
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    const ascending = await shown();
    assert.deepEqual(ascending.slice(0, 2), ['archive 9', 'Archive 10']);
    assert.deepEqual(ascending.toSorted(), unsorted.toSorted());
    await sort.click();
    assert.deepEqual(await shown(), ascending.toReversed());
    await sort.click();
    assert.deepEqual(await shown(), unsorted);
    assert.deepEqual(await seriousFindings(page, ['best-practice']), []);
  });

  test('further filters narrow events to a key and a model, and pills remove them', async () => {
    const { page, complaints } = profile;
    complaints.length = 0;
    await profile.goTo(at('events'), 'Events');
    const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr');
    await rows.first().waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByRole('combobox', { name: 'API key' }).click();
    await page.getByRole('option', { name: 'archive 9' }).click();
    await page.getByText('No matching events').waitFor();
    assert.match(page.url(), /key_id=key_/);
    const dialog = page.getByRole('dialog', { name: 'More filters' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove filter API key' }).press('Enter');
    await rows.first().waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await dialog.waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await page.getByLabel('Model', { exact: true }).fill('none-like-it');
    await page.keyboard.press('Enter');
    await page.getByText('Model: none-like-it').waitFor();
    await page.getByText('No matching events').waitFor();
    assert.deepEqual(complaints, []);
  });

  test('the guide is readable on a phone, and links to the dashboard', async () => {
    const { page, context, complaints } = await browser.open({ device: 'phone', scheme: 'dark' });
    for (const place of ['', '/quick-start', '/search?q=policy']) {
      await page.goto(`${gateway.address}/docs/guide${place}`);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(overflow, 0, place);
      assert.deepEqual(await seriousFindings(page), []);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
