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
import { startReceiver } from '../support/receiver/receiver.ts';

describe('the page of endpoints', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: DashboardBrowser;
  let profile: Profile;
  let page: Page;
  const goTo = (place: string, heading: string) =>
    profile.goTo(`${gateway.address}/dashboard/${place}`, heading);
  const dialog = () => page.getByRole('dialog');
  const alertShows = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();

  before(async () => {
    browser = await openDashboardBrowser();
    gateway = await startGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    profile = await browser.open();
    page = profile.page;
    await signInAt(page, gateway.address, (await signInAs(gateway, 'owner')).email);
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    assert.deepEqual(profile?.complaints, [], 'the console stayed empty throughout');
  });

  test('a webhook is added, signed, tested, edited and removed; a failed one shows why', async () => {
    const receiver = await startReceiver();
    // Links to the page that webhooks had lead here.
    await goTo('webhooks', 'Endpoints');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByLabel('Address', { exact: true }).fill('ftp://example.com/x');
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByText(/http/i).first().waitFor();
    await dialog().getByLabel('Address', { exact: true }).fill(receiver.url);
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await alertShows('Endpoint added');
    await dialog()
      .getByText(/^whsec_/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    const act = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const sendTest = () => page.getByRole('button', { name: `Test ${receiver.url}` }).click();
    await sendTest();
    await alertShows('The test was delivered');
    await act('Rotate secret');
    await dialog().getByRole('button', { name: 'Rotate secret' }).click();
    await dialog()
      .getByText(/^whsec_/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.getByText(/, signed/).waitFor();
    await receiver.close();
    await sendTest();
    await alertShows('The test failed');
    await page.getByRole('button', { name: `Deliveries to ${receiver.url}` }).click();
    await page.getByRole('row').filter({ hasText: 'Failed' }).first().waitFor();
    await act('Edit');
    await dialog().getByRole('combobox', { name: 'Events' }).click();
    await page.getByRole('option', { name: 'Redactions' }).click();
    // Closes the list, which covers the button.
    await page.keyboard.press('Tab');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText(/: redactions/).waitFor();
    await act('Pause');
    await page.getByText('paused', { exact: true }).waitFor();
    await act('Remove');
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No endpoints yet').waitFor();
  });

  test('people are notified at an address that is added on the same page', async () => {
    await goTo('endpoints?kind=notification', 'Endpoints');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByLabel('Email address').fill('security@example.com');
    await dialog().getByLabel('Quiet from').fill('22:00');
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByText('Enter both times.').waitFor();
    await dialog().getByLabel('Quiet until').fill('07:00');
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await alertShows('Endpoint added');
    await page.getByText('Email of the organization').waitFor();
  });
});
