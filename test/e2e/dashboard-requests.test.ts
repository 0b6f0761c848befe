import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLinks } from '../../apps/cloud/src/flows/links.ts';
import { findSignals } from '../../apps/cloud/src/flows/notifications/find-signals.ts';
import { SYSTEM_CLOCK } from '../../apps/cloud/src/gateway/configured-parts.ts';
import { PASSWORD, signInAs } from '../support/browser.ts';
import {
  type DashboardBrowser,
  noBrowser,
  openDashboardBrowser,
  signInAt,
} from '../support/dashboard-browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

describe('the inbox of requests', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: DashboardBrowser;
  before(async () => {
    browser = await openDashboardBrowser();
    gateway = await startGateway();
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('an approver sees what a call hides', async () => {
    const { email } = await signInAs(gateway, 'owner');
    await gateway.storage.requests.insert(gateway.account.organizationId, 'tool_review', {
      ...{ projectId: null, deviceId: null, requestedBy: 'key', requesterUserId: null, sessionId: null },
      ...{ agentId: 'agent\u202e', toolName: 'pay\u200b', subject: 'call', reason: 'listed' },
      ...{ arguments: { to: 'a\u202eb' }, endsInMs: 3_600_000 },
    });
    const { page, complaints, context } = await browser.open();
    await signInAt(page, gateway.address, email);
    await page.goto(`${gateway.address}/dashboard/requests/tool-calls`);
    await page.getByText('pay\\u{200b}').waitFor();
    await page.getByText('agent\\u{202e}').waitFor();
    await page.getByText('"to": "a\\u{202e}b"').waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('an exception for one policy says so, and the approver can narrow it to one of its findings', async () => {
    const { email } = await signInAs(gateway, 'owner');
    const { storage, account } = gateway;
    const { organizationId } = account;
    const [policy] = await storage.policies.insertMany(organizationId, null, [
      { name: 'Claims stay here', action: 'block', threatTypes: [], priority: 5 },
    ]);
    const insert = (destinationHost: string, change: object) =>
      storage.requests.insert(organizationId, 'exception', {
        ...{ projectId: null, deviceId: null, requestedBy: 'key', requesterUserId: null, threat: null },
        ...{ destinationHost, subject: destinationHost, reasonCategory: null, policyId: null },
        ...{ justification: null, requestedMinutes: 30, ...change },
      });
    const { id } = await insert('policy.example.com', { policyId: policy!.id });
    await insert('attacks.example.com', { allFindings: false });
    await insert('all.example.com', { allFindings: true });
    const { page, complaints, context } = await browser.open();
    await signInAt(page, gateway.address, email);
    await page.goto(`${gateway.address}/dashboard/requests/exceptions`);
    const dialog = page.getByRole('dialog');
    const effectOf = async (host: string): Promise<string> => {
      const card = page.locator('.mantine-Card-root').filter({ hasText: host });
      await card.getByRole('button', { name: 'Approve' }).click();
      return (await dialog.getByText('Until the exception expires').textContent()) ?? '';
    };
    const close = () => dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.match(await effectOf('attacks.example.com'), /Attacks only\. All others are still blocked\./);
    await close();
    assert.match(
      await effectOf('all.example.com'),
      /All findings, also personal data and secrets\. This includes card numbers and passwords\./,
    );
    await close();
    assert.match(
      await effectOf('policy.example.com'),
      /Findings of the policy Claims stay here only\. All others are still blocked\./,
    );
    await dialog.getByRole('combobox', { name: 'Only this finding' }).click();
    await page.getByRole('option', { name: 'Personal data', exact: true }).click();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.waitFor({ state: 'detached' });
    const decided = await storage.requests.get(organizationId, id, 'exception');
    assert.deepEqual(
      [decided?.status, decided?.policyId, decided?.threat],
      ['approved', policy!.id, 'pii_leak'],
    );
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('the link of a notification opens that one request, and it is decided there', async () => {
    const { email } = await signInAs(gateway, 'owner');
    const { organizationId } = gateway.account;
    const insert = (destinationHost: string) =>
      gateway.storage.requests.insert(organizationId, 'exception', {
        ...{ projectId: null, deviceId: null, requestedBy: 'key', requesterUserId: null, policyId: null },
        ...{ destinationHost, subject: destinationHost, threat: null, reasonCategory: null },
        ...{ justification: null, requestedMinutes: 30 },
      });
    const [{ id }] = [await insert('one.example.com'), await insert('other.example.com')];
    const { storage } = gateway;
    const links = createLinks(() => gateway.address);
    const signals = await findSignals({ storage, links, clock: SYSTEM_CLOCK }, organizationId);
    const url = String(signals.find(({ data }) => data['id'] === id)?.data['url']);
    const { page, complaints, context } = await browser.open({ device: 'phone' });
    // A link from a mail comes before the sign-in.
    await page.goto(url);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('one.example.com').waitFor();
    assert.equal(await page.getByText('other.example.com').count(), 0);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved by').waitFor();
    assert.equal((await storage.requests.get(organizationId, id))?.status, 'approved');
    await page.goto(`${gateway.address}/dashboard/requests/exc_of_others`);
    await page.getByText('No such request').waitFor();
    await page.getByRole('link', { name: 'All requests' }).click();
    await page.getByText('other.example.com').waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
