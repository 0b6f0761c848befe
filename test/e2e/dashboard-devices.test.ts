import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { signInAs } from '../support/browser.ts';
import {
  type DashboardBrowser,
  noBrowser,
  openDashboardBrowser,
  type Profile,
  signInAt,
} from '../support/dashboard-browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Name, system, version of the agent, and the age of the last report. */
const DEVICES = [
  ['Anchor', 'linux', '1.9.0', 0],
  ['Beacon', 'macos', '1.10.0', DAY_MS - HOUR_MS],
  ['Capstan', 'windows', '1.9.0', DAY_MS + HOUR_MS],
  ['Dinghy', 'windows', '1.10.0', 8 * DAY_MS],
  ['Ensign', 'linux', '1.10.0', 31 * DAY_MS],
  ['Fender', 'macos', null, null],
] as const;

describe('filters of devices', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: DashboardBrowser;
  let profile: Profile;
  let page: Page;
  const load = (query: string) => profile.load(`${gateway.address}/dashboard/devices${query}`, 'Devices');
  const queryOf = () => new URL(page.url()).search;
  /** The first letters of the devices that are listed. */
  const listed = async (): Promise<string> => {
    const rows = await page.getByRole('table', { name: 'Devices' }).getByRole('row').allTextContents();
    return DEVICES.flatMap(([name]) => (rows.some((row) => row.includes(name)) ? [name[0]] : [])).join('');
  };
  const lists = (letters: string) => until(listed, (found) => found === letters);
  const choose = async (filter: string, option: string) => {
    await page.getByRole('combobox', { name: filter }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  before(async () => {
    browser = await openDashboardBrowser();
    gateway = await startGateway();
    const { storage, account } = gateway;
    const { organizationId } = account;
    for (const [name, platform, agentVersion, ageMs] of DEVICES) {
      const { id } = await storage.devices.insert(organizationId, { name, platform });
      if (ageMs !== null)
        await storage.devices.recordHeartbeat(organizationId, id, {
          ...{ agentVersion, proxyRestarts: 0, supervisorState: 'quiet', atMs: Date.now() - ageMs },
        });
    }
    profile = await browser.open();
    page = profile.page;
    await signInAt(page, gateway.address, (await signInAs(gateway, 'owner')).email);
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    assert.deepEqual(profile?.complaints, [], 'the console stayed empty throughout');
  });

  test('by system and version, together, newest version first; the address has them', async () => {
    await load('');
    await lists('ABCDEF');
    await choose('All systems', 'Windows');
    await lists('CD');
    await page.getByRole('combobox', { name: 'All versions' }).click();
    assert.deepEqual(await page.getByRole('option').allTextContents(), [
      ...['All versions', 'unknown', '1.10.0', '1.9.0'],
    ]);
    await page.getByRole('option', { name: '1.10.0', exact: true }).click();
    await lists('D');
    assert.equal(queryOf(), '?platform=windows&version=1.10.0');
    await choose('All systems', 'Linux');
    await lists('E');
    await choose('All systems', 'All systems');
    await lists('BDE');
    assert.equal(queryOf(), '?version=1.10.0');
  });

  test('by the last report; a device that never reported counts as not reporting', async () => {
    await load('');
    await choose('Reported at any time', 'In the last 24 hours');
    await lists('AB');
    await choose('Reported at any time', 'Not in the last 7 days');
    await lists('DEF');
    await choose('Reported at any time', 'Not in the last 30 days');
    await lists('EF');
    assert.equal(queryOf(), '?seen=not-30d');
  });

  test('an address opens with its filters, the search and state too; what it cannot mean filters nothing', async () => {
    await load('?platform=linux&version=1.10.0&seen=not-7d&search=ens');
    await lists('E');
    assert.equal(await page.getByRole('combobox', { name: 'All systems' }).inputValue(), 'Linux');
    assert.equal(await page.getByRole('textbox', { name: 'Search devices' }).inputValue(), 'ens');
    await load('?version=unknown');
    await lists('F');
    await load('?seen=yesterday');
    await lists('ABCDEF');
    await load('?platform=plan9');
    await page.getByText('None of the 6 devices match these filters.').waitFor();
  });
});
