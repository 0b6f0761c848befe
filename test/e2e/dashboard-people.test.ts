/** People at the dashboard: invitation, role, two-factor authentication, lost password, removal. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PASSWORD, signInAs } from '../support/browser.ts';
import {
  type DashboardBrowser,
  noBrowser,
  openDashboardBrowser,
  type Profile,
  signInAt,
} from '../support/dashboard-browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { oneTimeCode } from '../support/one-time-code.ts';
import { openDirectory } from '../support/scim-directory.ts';

const NEW_PASSWORD = 'eleven copper lanterns drift';

describe('people at the dashboard', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: DashboardBrowser;
  /** The owner's window. */
  let owner: Profile;
  /** The invited person's window. */
  let guest: Profile;
  let ownerEmail = '';

  const goTo = (profile: Profile, place: string, heading: string) =>
    profile.goTo(`${gateway.address}/dashboard/${place}`, heading);
  /** For what another person has just changed. */
  const load = (profile: Profile, place: string, heading: string) =>
    profile.load(`${gateway.address}/dashboard/${place}`, heading);

  before(async () => {
    browser = await openDashboardBrowser();
    gateway = await startGateway({ isOwn: true });
    ({ email: ownerEmail } = await signInAs(gateway, 'owner'));
    owner = await browser.open();
    guest = await browser.open({ device: 'phone' });
    await signInAt(owner.page, gateway.address, ownerEmail);
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    assert.deepEqual([...(owner?.complaints ?? []), ...(guest?.complaints ?? [])], []);
  });

  test('several people are invited at once; a wrong address is named before anything is sent', async () => {
    const { page } = owner;
    await goTo(owner, 'members', 'Members');
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('lee@harbour.example, kim');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText('kim is not an email address.').waitFor();
    await dialog.getByLabel('Email').fill('lee@harbour.example\nkim@harbour.example');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    for (const email of ['lee@harbour.example', 'kim@harbour.example'])
      await page.getByRole('row').filter({ hasText: email }).waitFor();
  });

  test('an invitation appears in the outbox and is accepted on a phone', async () => {
    const { page } = owner;
    await goTo(owner, 'members', 'Members');
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('noor@harbour.example');
    await dialog.getByText('stays in the outbox').waitFor();
    await dialog.getByLabel('Viewer').check();
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const invited = page.getByRole('row').filter({ hasText: 'noor@harbour.example' });
    await invited.waitFor();
    assert.doesNotMatch(await invited.innerText(), /usr_/, 'the inviter has a name');

    await goTo(owner, 'mail', 'Outbox');
    await page.getByText('No SMTP server configured').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'noor@harbour.example' })
      .getByRole('button')
      .first()
      .click();
    const link = await page.getByRole('dialog').getByRole('link').first().getAttribute('href');
    assert.match(link ?? '', /\/dashboard\/invitation#token=/);

    await guest.page.goto(link ?? '');
    await guest.page.getByRole('heading', { name: /^Join / }).waitFor();
    await guest.page.getByLabel('Your name').fill('Noor Haddad');
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor();

    const late = await browser.open();
    await late.page.goto(link ?? '');
    await late.page.getByRole('alert').waitFor();
    await late.page.getByText('Ask an admin of the organization to resend the invitation.').waitFor();
    await late.context.close();
  });

  test('a viewer sees no action that would be rejected; a stronger role applies immediately', async () => {
    const { page } = guest;
    await goTo(guest, 'keys', 'API keys');
    assert.equal(await page.getByRole('button', { name: 'Create an API key' }).count(), 0);
    await goTo(guest, 'policies', 'Policies');
    assert.equal(await page.getByRole('link', { name: 'Create a policy' }).count(), 0);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Members' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Outbox' }).count(), 0);

    await load(owner, 'members', 'Members');
    await owner.page.getByRole('combobox', { name: 'Role of Noor Haddad' }).selectOption('Admin');
    await owner.page.getByText('Role changed.').waitFor();
    await load(guest, 'keys', 'API keys');
    await page.getByRole('button', { name: 'Create an API key' }).first().waitFor();
  });

  test('an admin gives a group a role on its page, and the members page names the group', async () => {
    const directory = await openDirectory(gateway, await signInAs(gateway, 'owner'));
    const lin = (await directory.addUser('lin@harbour.example')).id;
    await directory.addGroup('Night shift', [], { externalId: 'guid-night' });
    await directory.addGroup('Reviewers', [lin], { externalId: 'guid-reviewers' });
    const { page } = owner;
    await load(owner, 'settings', 'Settings');
    await page.getByRole('link', { name: 'Roles of groups' }).click();
    await page.getByRole('heading', { level: 1, name: 'Roles of groups' }).waitFor();
    await page.getByLabel('Find a group').fill('review');
    const row = page.getByRole('row').filter({ hasText: 'Reviewers' });
    await row.getByRole('button', { name: 'Give Reviewers a role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role').selectOption('Auditor');
    await dialog.getByRole('button', { name: 'Give role' }).click();
    await row.getByText('Auditor').waitFor();
    assert.equal(await page.getByRole('row').filter({ hasText: 'Night shift' }).count(), 0, 'searched');

    await load(owner, 'members', 'Members');
    const member = page.getByRole('row').filter({ hasText: 'lin@harbour.example' });
    await member.getByText('by group Reviewers').waitFor();
    await member.getByText('directory').waitFor();
    assert.equal(await member.getByRole('combobox').count(), 0, 'the group gives the role, not this page');

    await goTo(owner, 'settings/groups', 'Roles of groups');
    await page.getByRole('button', { name: 'Remove Auditor of Reviewers' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove role' }).click();
    await row.getByText('Auditor').waitFor({ state: 'detached' });
    await load(owner, 'members', 'Members');
    await member.getByRole('combobox').waitFor();
  });

  test('two-factor authentication is enabled, required at the next sign-in, and disabled', async () => {
    const { page } = guest;
    await goTo(guest, 'account', 'My account');
    await page.getByRole('button', { name: 'Enable' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = (await dialog.locator('code').first().textContent()) ?? '';
    await dialog.getByLabel('Authentication code').fill('000000');
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Authentication code').fill(oneTimeCode(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Enable' }).click();
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
    await codes.waitFor();
    const recovery = await codes.locator('code').allTextContents();
    assert.ok(recovery.length >= 8, `${recovery.length} recovery codes`);
    await codes.getByRole('button', { name: 'I have saved them' }).click();

    const next = await browser.open();
    await next.page.goto(`${gateway.address}/dashboard/`);
    await next.page.getByLabel('Email').fill('noor@harbour.example');
    await next.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await next.page.keyboard.press('Enter');
    await next.page.getByLabel('Authentication code').fill(recovery[0] ?? '');
    await next.page.keyboard.press('Enter');
    await next.page.getByRole('heading', { name: 'Overview' }).waitFor();

    await load(guest, 'account', 'My account');
    await page.getByText('Chrome on Linux').nth(1).waitFor();
    await page.getByRole('button', { name: 'End other sessions' }).click();
    await page.getByText('All other sessions ended.').waitFor();
    await next.page.goto(`${gateway.address}/dashboard/keys`);
    await next.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await next.context.close();

    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Authentication code or recovery code').fill(recovery[1] ?? '');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Two-factor authentication disabled.').waitFor();
  });

  test('the link in an email replaces a lost password; the old one stops working', async () => {
    const lost = await browser.open();
    const { page } = lost;
    await page.goto(`${gateway.address}/dashboard/forgot-password`);
    await page.getByLabel('Email').fill('noor@harbour.example');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByText('Check your email').waitFor();
    await load(owner, 'mail', 'Outbox');
    await owner.page
      .getByRole('row')
      .filter({ hasText: 'noor@harbour.example' })
      .filter({ hasText: /password/i })
      .getByRole('button')
      .first()
      .click();
    const link = await owner.page.getByRole('dialog').getByRole('link').first().getAttribute('href');
    await page.goto(link ?? '');
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill('noor@harbour.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await lost.context.close();
  });

  test('a removed member is directed to join an organization; a user changes their own name and colors', async () => {
    const { page } = owner;
    await signInAt(guest.page, gateway.address, 'noor@harbour.example', NEW_PASSWORD);
    await goTo(owner, 'members', 'Members');
    await page.getByRole('button', { name: 'Remove Noor Haddad' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await page.getByRole('row').filter({ hasText: 'Noor Haddad' }).waitFor({ state: 'detached' });
    await guest.page.goto(`${gateway.address}/dashboard/keys`);
    await guest.page.getByRole('heading', { name: 'You are not a member of any organization' }).waitFor();

    await goTo(owner, 'account', 'My account');
    await page.getByLabel('Name').fill('Ada Winter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /Ada Winter/ }).click();
    await page.getByText('Dark', { exact: true }).click();
    await page.reload();
    assert.equal(await page.evaluate('document.documentElement.dataset.mantineColorScheme'), 'dark');
    await page.getByRole('button', { name: /Ada Winter/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
