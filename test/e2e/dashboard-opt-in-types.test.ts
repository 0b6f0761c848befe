/** The policy form offers types of personal data that are detected only where a policy names them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signInAs } from '../support/browser.ts';
import {
  type DashboardBrowser,
  noBrowser,
  openDashboardBrowser,
  type Profile,
  signInAt,
} from '../support/dashboard-browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

const TEXT = 'IBAN DE89 3704 0044 0532 0130 00';

describe('opt-in types of personal data at the dashboard', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: DashboardBrowser;
  let admin: Profile;

  before(async () => {
    browser = await openDashboardBrowser();
    gateway = await startGateway();
    const { email } = await signInAs(gateway, 'admin');
    admin = await browser.open();
    await signInAt(admin.page, gateway.address, email);
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    assert.deepEqual([...(admin?.complaints ?? [])], []);
  });
  const decision = async () => {
    const answer = await gateway.call('POST', '/api/v1/security/scan', { body: { content: TEXT } });
    return ((await answer.json()) as { decision: string }).decision;
  };

  test('are listed separately in the form, and detected once a policy names them', async () => {
    const { page, goTo } = admin;
    assert.equal(await decision(), 'allow');
    await goTo(`${gateway.address}/dashboard/policies/new`, 'New policy');
    await page.getByLabel('Name').first().fill('Account numbers stay here');
    await page.getByLabel('Dry run').uncheck();
    await page.getByRole('combobox', { name: 'Threat types' }).click();
    await page.getByRole('option', { name: 'Personal data' }).click();
    await page.getByRole('combobox', { name: 'Types of personal data and secrets' }).click();
    await page.getByText('Opt-in: detected only if a policy names them').waitFor();
    await page.getByRole('option', { name: 'Bank account number (IBAN)' }).click();
    await page.getByRole('button', { name: 'Create policy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Account numbers stay here', exact: true }).waitFor();
    assert.notEqual(await decision(), 'allow');
    await goTo(`${gateway.address}/dashboard/policies`, 'Policies');
    const row = page.getByRole('row').filter({ hasText: 'Account numbers stay here' });
    await row.getByText('only bank account number (iban)').waitFor();
  });
});
