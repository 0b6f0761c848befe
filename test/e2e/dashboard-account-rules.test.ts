/** What an organization asks of accounts, and how an account ends, as people see it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PASSWORD, type Person, signInAs, type TestBrowser } from '../support/browser.ts';
import {
  type DashboardBrowser,
  noBrowser,
  openDashboardBrowser,
  type Profile,
  seriousFindings,
  settled,
  signInAt,
} from '../support/dashboard-browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { oneTimeCode } from '../support/one-time-code.ts';

describe('the rules of accounts at the dashboard', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: DashboardBrowser;
  let owner: TestBrowser & Person;
  let member: TestBrowser & Person;
  const opened: Profile[] = [];
  before(async () => {
    browser = await openDashboardBrowser();
    gateway = await startGateway();
    owner = await signInAs(gateway, 'owner');
    member = await signInAs(gateway, 'member');
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    assert.deepEqual(
      opened.flatMap(({ complaints }) => complaints),
      [],
    );
  });

  async function open(email: string): Promise<Profile> {
    const profile = await browser.open();
    opened.push(profile);
    await signInAt(profile.page, gateway.address, email);
    return profile;
  }

  test('a second factor that is asked for: an owner without one is told first; a member is shown the way', async () => {
    const { page } = await open(owner.email);
    await page.goto(`${gateway.address}/dashboard/settings`);
    const rule = page.getByRole('switch', { name: 'Members sign in with a second factor' });
    await rule.click();
    await page.getByText('Set up a second factor for your own account first').waitFor();
    assert.equal(await rule.isChecked(), false);

    const begun = await owner.call<{ secret: string }>('POST', '/account/second-factor', {
      current_password: PASSWORD,
    });
    const code = oneTimeCode(begun.body.secret, Date.now());
    // The owner's other sessions end with it, the page's among them.
    assert.equal((await owner.call('POST', '/account/second-factor/confirm', { code })).status, 200);
    const asked = await owner.call('PATCH', '/organization', { requires_second_factor: true });
    assert.equal(asked.status, 200);

    const theirs = await open(member.email);
    await theirs.page.getByRole('heading', { name: /asks for a second factor/ }).waitFor();
    assert.deepEqual(await seriousFindings(theirs.page), []);
    await theirs.page.getByRole('link', { name: 'Set one up' }).click();
    await theirs.page.getByRole('button', { name: 'Switch it on' }).waitFor();
    await owner.call('PATCH', '/organization', { requires_second_factor: false });
    await theirs.page.goto(`${gateway.address}/dashboard/`);
    await theirs.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('an account is deleted with its password, and whoever it was is at the door', async () => {
    const { page } = await open(member.email);
    await page.goto(`${gateway.address}/dashboard/account`);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete my account' });
    await dialog.getByLabel('Your password', { exact: true }).fill('not my password');
    await dialog.getByRole('button', { name: 'Delete it' }).click();
    await dialog.getByText('This is not your current password.').waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await settled(page);
    assert.equal(await gateway.storage.users.get(member.userId), null);
  });
});
