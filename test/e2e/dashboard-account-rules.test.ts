/** Rules of an organization for accounts, and the deletion of accounts, as people see them. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { addAccount } from '../support/accounts.ts';
import { addPerson, PASSWORD, type Person, signInAs, type TestBrowser } from '../support/browser.ts';
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

describe('account rules at the dashboard', { skip: noBrowser }, () => {
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

  // Each of them would draw on.
  afterEach(() => Promise.all(opened.map(({ context }) => context.close())));

  const at = (place: string) => `${gateway.address}/dashboard/${place}`;
  async function open(email: string): Promise<Profile> {
    const profile = await browser.open();
    opened.push(profile);
    await signInAt(profile.page, gateway.address, email);
    return profile;
  }

  test('requiring two-factor authentication needs the owner’s own first; a member is directed to set it up', async () => {
    const { page, goTo } = await open(owner.email);
    await goTo(at('settings'), 'Settings');
    const rule = page.getByRole('switch', { name: 'Require two-factor authentication' });
    await rule.click();
    await page.getByText('Enable two-factor authentication for your own account first').waitFor();
    assert.equal(await rule.isChecked(), false);

    const begun = await owner.call<{ secret: string }>('POST', '/account/second-factor', {
      current_password: PASSWORD,
    });
    const code = oneTimeCode(begun.body.secret, Date.now());
    // This ends the owner's other sessions, including the one of the page.
    assert.equal((await owner.call('POST', '/account/second-factor/confirm', { code })).status, 200);
    const requested = await owner.call('PATCH', '/organization', { requires_second_factor: true });
    assert.equal(requested.status, 200);

    const theirs = await open(member.email);
    await theirs.page
      .getByRole('heading', { level: 1, name: /requires two-factor authentication/ })
      .waitFor();
    assert.deepEqual(await seriousFindings(theirs.page), []);
    await theirs.page.getByRole('link', { name: 'Set up' }).click();
    await theirs.page.getByRole('button', { name: 'Enable' }).waitFor();
    await owner.call('PATCH', '/organization', { requires_second_factor: false });
    await theirs.page.goto(at(''));
    await theirs.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('an admin deletes a project by typing its name, an owner deletes an organization with name and password', async () => {
    const { storage } = gateway;
    const boss = await addPerson(gateway);
    const made = await storage.organizations.insert({ kind: 'team', name: 'Harbour', ownerId: boss.userId });
    await storage.members.add(made.id, boss.userId, 'owner');
    const project = await storage.projects.insert(made.id, { name: 'Support bot' });
    const { page, goTo } = await open(boss.email);
    await goTo(at(`projects/${project.id}`), 'Support bot');
    await page.getByRole('button', { name: 'Delete project' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete project' });
    await asked.getByLabel('Type Support bot to confirm').fill('Support');
    await asked.getByRole('button', { name: 'Delete project' }).click();
    await asked.getByText('The text does not match.').waitFor();
    assert.notEqual(await storage.projects.get(made.id, project.id), null);
    assert.deepEqual(await seriousFindings(page), []);
    await asked.getByLabel('Type Support bot to confirm').fill('Support bot');
    await asked.getByRole('button', { name: 'Delete project' }).click();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    assert.equal(await storage.projects.get(made.id, project.id), null);

    await goTo(at('settings'), 'Settings');
    await page.getByRole('button', { name: 'Delete organization' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete organization' });
    await dialog.getByLabel('Type Harbour to confirm').fill('Harbour');
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    assert.deepEqual(await seriousFindings(page), []);
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await page.getByRole('heading', { name: 'You are not a member of any organization' }).waitFor();
    await settled(page);
    assert.equal(await storage.organizations.get(made.id), null);
  });

  test('an invitation from a directory appears on every page, names its organization, and is accepted there', async () => {
    const { storage } = gateway;
    const stranger = await addAccount(gateway, { plan: 'free' });
    await storage.organizations.rename(stranger.organizationId, 'My organization');
    const { email } = (await storage.users.get(stranger.accountId))!;
    const invite = (to: string) =>
      storage.invitations.create(stranger.organizationId, {
        email: to,
        role: 'member',
        invitedBy: 'dirt_1',
        expiresAtMs: Date.now() + 60_000,
      });
    await invite(member.email);
    const { page } = await open(member.email);
    const alert = page.getByRole('alert').filter({ hasText: 'Invitation to join My organization' });
    await alert.getByText(email, { exact: false }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await settled(page);
    assert.deepEqual(await seriousFindings(page), []);
    await alert.getByRole('button', { name: 'Decline' }).click();
    await alert.waitFor({ state: 'detached' });
    await invite(member.email);
    await page.reload();
    await alert.getByRole('button', { name: 'Accept' }).click();
    // The invitation also contains "owned by".
    await page.getByText(`Owned by ${email}`, { exact: true }).waitFor();
    assert.equal((await storage.members.get(stranger.organizationId, member.userId))?.role, 'member');
    await settled(page);
  });

  test('an account is deleted with its password, and the person is signed out', async () => {
    const { page, goTo } = await open(member.email);
    await goTo(at('account'), 'My account');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete account' });
    const confirm = dialog.getByLabel(`Type ${member.email} to confirm`);
    await confirm.fill('somebody@example.com');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('The text does not match.').waitFor();
    await confirm.fill(member.email);
    await dialog.getByLabel('Your password', { exact: true }).fill('not my password');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('This is not your current password.').waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await settled(page);
    assert.equal(await gateway.storage.users.get(member.userId), null);
  });
});
