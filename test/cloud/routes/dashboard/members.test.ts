import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { createKey } from '../../../../apps/cloud/src/flows/create-key.ts';
import { createEnrollment } from '../../../../apps/cloud/src/flows/devices/manage-devices.ts';
import { makeKey } from '../../../../apps/cloud/src/storage/key-format.ts';
import { addAccount } from '../../../support/accounts.ts';
import { addPerson, PASSWORD, signInAs } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { tokenTo } from '../../../support/outbox.ts';

describe('members', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  test('are listed with their roles; a change by an admin applies to the next request', async () => {
    const admin = await signInAs(gateway, 'admin');
    const member = await signInAs(gateway, 'member');
    const { body } = await admin.call<{ user_id: string; email: string; role: string }[]>('GET', '/members');
    assert.equal(body.find((one) => one.user_id === member.userId)?.role, 'member');
    assert.equal(body.find((one) => one.user_id === member.userId)?.email, member.email);
    assert.equal(body.filter((one) => one.role === 'owner').length, 1);

    const changed = await admin.call('PATCH', `/members/${member.userId}`, { role: 'viewer' });
    assert.equal(changed.body['role'], 'viewer');
    const refused = await member.call('POST', '/projects', { name: 'Mine' });
    assert.equal(refused.error['code'], 'insufficient_role');
    assert.equal(refused.error['required_role'], 'member');
    assert.equal((await admin.call('PATCH', `/members/${member.userId}`, { role: 'owner' })).status, 422);
    assert.equal((await admin.call('PATCH', '/members/usr_none', { role: 'viewer' })).status, 404);
    const [row] = (await gateway.storage.audit.page(gateway.account.organizationId)).rows;
    assert.deepEqual(
      [row?.kind, row?.actor, row?.subject, row?.data],
      ['member_role_changed', admin.userId, member.userId, { was: 'member', role: 'viewer' }],
    );
  });

  test('show their last sign-in, their second factor, and whether they have ever signed in', async () => {
    const { storage, account } = gateway;
    const admin = await signInAs(gateway, 'admin');
    const unopened = await storage.users.insert({ email: 'unopened@example.com' });
    await storage.members.add(account.organizationId, unopened.id, 'member');
    const { body } = await admin.call<Record<string, unknown>[]>('GET', '/members');
    const about = (userId: string) => {
      const { last_sign_in_at, last_seen_at, has_second_factor, is_from_directory, has_signed_in } =
        body.find((one) => one['user_id'] === userId) ?? {};
      return { last_sign_in_at, last_seen_at, has_second_factor, is_from_directory, has_signed_in };
    };
    const own = about(admin.userId);
    assert.deepEqual([own.has_signed_in, own.is_from_directory], [true, false]);
    assert.ok(Date.parse(String(own.last_seen_at)) >= Date.parse(String(own.last_sign_in_at)));
    assert.deepEqual(about(unopened.id), {
      last_sign_in_at: null,
      last_seen_at: null,
      has_second_factor: false,
      is_from_directory: false,
      has_signed_in: false,
    });
  });

  test('include an owner, who cannot be removed, given another role, or leave', async () => {
    const admin = await signInAs(gateway, 'admin');
    const owner = await signInAs(gateway, 'owner');
    for (const answer of [
      await admin.call('DELETE', `/members/${owner.userId}`),
      await admin.call('PATCH', `/members/${owner.userId}`, { role: 'viewer' }),
      await owner.call('DELETE', `/members/${owner.userId}`),
      await owner.call('POST', '/organization/leave'),
    ]) {
      assert.equal(answer.status, 409);
      assert.equal(answer.error['code'], 'owner_protected');
    }
    assert.equal((await owner.whoAmI()).body.organization?.role, 'owner');
  });

  test('lose their keys and devices here if removed; bulk devices and their own organization stay', async () => {
    const { storage, account } = gateway;
    const admin = await signInAs(gateway, 'admin');
    const leaver = await signInAs(gateway, 'admin');
    const here = { organizationId: account.organizationId };
    const key = await gateway.addKey({ userId: leaver.userId });
    const own = await storage.organizations.insert({ kind: 'personal', name: 'Own', ownerId: leaver.userId });
    await storage.members.add(own.id, leaver.userId, 'owner');
    await storage.subscriptions.set(leaver.userId, { plan: 'free' });
    const ownKey = makeKey();
    await storage.keys.insert({
      organizationId: own.id,
      projectId: null,
      userId: leaver.userId,
      deviceId: null,
      name: 'own',
      permissions: [],
      expiresAtMs: null,
      key: ownKey,
    });
    const asLeaver = { ...here, id: leaver.userId, userId: leaver.userId };
    const enroll = async (uses: number) => {
      const deps = { storage, clock: { now: Date.now, elapsed: () => 0 } };
      const { token } = await createEnrollment(deps, asLeaver, { projectId: account.projectId, uses });
      return token;
    };
    const use = async (token: string) => {
      const response = await gateway.call('POST', '/api/v1/enroll', {
        key: null,
        body: { token, device_name: 'Laptop', platform: 'linux' },
      });
      return { status: response.status, ...((await response.json()) as { api_key?: string }) };
    };
    const bound = await use(await enroll(1));
    const waiting = await enroll(1);
    const bulkToken = await enroll(5);
    const bulk = await use(bulkToken);
    const asks = async (plain: string | undefined, path = '/api/v1/policies') =>
      (await gateway.call('GET', path, { key: plain ?? null })).status;
    assert.deepEqual(
      [await asks(key.plain), await asks(ownKey), await asks(bound.api_key), await asks(bulk.api_key)],
      [200, 200, 200, 200],
    );

    assert.equal((await admin.call('DELETE', `/members/${leaver.userId}`)).status, 204);
    assert.deepEqual(
      [await asks(key.plain), await asks(ownKey), await asks(bound.api_key), await asks(bulk.api_key)],
      [401, 200, 401, 200],
    );
    assert.equal((await use(waiting)).status, 401, 'a token that would have bound another device');
    assert.equal((await use(bulkToken)).status, 200, 'a bulk token stays valid');
    const who = await leaver.whoAmI();
    assert.equal(who.status, 200, 'the user still exists');
    assert.equal(who.body.organization?.id, own.id);
    assert.equal((await admin.call('DELETE', `/members/${leaver.userId}`)).status, 404, 'a double submit');
    const [row] = (await storage.audit.page(account.organizationId, { kind: 'member_removed' })).rows;
    assert.equal(row?.subject, leaver.userId);
    assert.equal(row?.actor, admin.userId);
    assert.deepEqual(row?.data['keys_revoked'], [key.record.id]);
    assert.equal((row?.data['devices_revoked'] as string[] | undefined)?.length, 1);
    assert.equal((await storage.audit.verify(account.organizationId)).valid, true);
  });

  test('keep no key that was created while they were removed', async () => {
    const { storage, account } = gateway;
    const admin = await signInAs(gateway, 'admin');
    for (let round = 0; round < 5; round++) {
      const { userId } = await addPerson(gateway);
      await storage.members.add(account.organizationId, userId, 'member');
      const caller = {
        organizationId: account.organizationId,
        projectId: account.projectId,
        userId,
        deviceId: null,
        keyId: null,
        permissions: [],
        actor: userId,
        account: {
          id: account.accountId,
          planName: 'enterprise',
          plan: {
            perMinute: 1,
            monthly: null,
            quota: 'soft',
            overageUsdPer1000: 0,
            spendCapUsd: null,
            keys: null,
            keysPerProject: null,
            projects: null,
          },
          status: 'active',
          onDemand: true,
        },
      } as const;
      const clock = { now: Date.now, elapsed: () => 0 };
      const [made, removed] = await Promise.allSettled([
        createKey({ storage, clock, makeKey }, caller, { name: 'racing' }),
        admin.call('DELETE', `/members/${userId}`),
      ]);
      assert.equal(removed.status === 'fulfilled' && removed.value.status, 204);
      if (made.status === 'rejected') {
        assert.ok(made.reason instanceof CodedError && made.reason.code === 'insufficient_role');
      } else {
        assert.equal(await storage.keys.get(account.organizationId, made.value.id), null, `round ${round}`);
      }
    }
  });

  test('can leave; other organizations and their members are a 404', async () => {
    const member = await signInAs(gateway, 'member');
    assert.equal((await member.call('POST', '/organization/leave')).status, 204);
    assert.equal((await member.whoAmI()).body.organization, null);
    const foreign = await addAccount(gateway, { plan: 'pro' });
    const admin = await signInAs(gateway, 'admin');
    assert.equal((await admin.call('DELETE', `/members/${foreign.accountId}`)).status, 404);
    const select = await admin.call('POST', '/session/organization', {
      organization_id: foreign.organizationId,
    });
    assert.equal(select.status, 404);
    assert.deepEqual(
      select.error,
      (await admin.call('POST', '/session/organization', { organization_id: 'org_none' })).error,
      'it is not revealed whether it exists',
    );
  });

  test('are removed once if two admins do it concurrently', async () => {
    const [one, two] = [await signInAs(gateway, 'admin'), await signInAs(gateway, 'admin')];
    const { userId } = await addPerson(gateway);
    await gateway.storage.members.add(gateway.account.organizationId, userId, 'viewer');
    const answers = await Promise.all([one, two].map((admin) => admin.call('DELETE', `/members/${userId}`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404]);
  });
});

describe('organizations', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ env: { SIGN_UP: 'open' } });
  });
  after(() => gateway.close());

  test('are created, selected and renamed; requests apply to the one that is selected', async () => {
    const browser = await signInAs(gateway, 'viewer');
    const made = await browser.call<{ organization: { id: string; role: string; plan: string } }>(
      'POST',
      '/organizations',
      { name: ' Second team ' },
    );
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.equal(made.body.organization.role, 'owner');
    assert.equal(made.body.organization.plan, 'free', 'its owner’s plan, not that of the service');
    assert.equal((await browser.call('PATCH', '/organization', { name: 'Renamed' })).body['name'], 'Renamed');
    assert.equal((await browser.call<unknown[]>('GET', '/projects')).body.length, 1);
    await browser.call('POST', '/session/organization', { organization_id: gateway.account.organizationId });
    assert.equal((await browser.call('PATCH', '/organization', { name: 'No' })).status, 403, 'a viewer here');
    assert.equal((await browser.call('POST', '/organizations', { name: '   ' })).status, 422);
  });

  test('are transferred with the password and the other’s consent, together with the contract', async () => {
    const owner = await signInAs(gateway, 'owner');
    const successor = await signInAs(gateway, 'member');
    const transfer = (user_id: string, current_password = PASSWORD) =>
      owner.call('POST', '/organization/transfer', { user_id, current_password });
    assert.equal((await transfer(successor.userId, 'wrong')).status, 422);
    assert.equal((await transfer('usr_none')).status, 404);
    assert.equal((await transfer(owner.userId)).status, 404);
    const unproven = await addPerson(gateway, { isVerified: false });
    await gateway.storage.members.add(gateway.account.organizationId, unproven.userId, 'admin');
    assert.equal((await transfer(unproven.userId)).error['code'], 'email_not_verified');

    const offered = await transfer(successor.userId);
    assert.equal(offered.body['plan'], 'enterprise');
    assert.equal((await successor.whoAmI()).body.organization?.role, 'member', 'not before they accept');
    const first = await tokenTo(gateway, successor.email);
    await transfer(successor.userId);
    const token = await tokenTo(gateway, successor.email);
    assert.equal((await successor.call('POST', '/invitation', { token })).body['role'], 'owner');
    const accept = (who: typeof successor, link = token) =>
      who.call('POST', '/invitation/accept', { token: link });
    assert.equal((await accept(successor, first)).status, 410, 'an offer before the last');
    assert.equal((await accept(await signInAs(gateway, 'admin'))).status, 401, 'another person');
    assert.equal((await accept(successor)).status, 200);
    assert.equal((await successor.whoAmI()).body.organization?.role, 'owner');
    assert.equal((await successor.whoAmI()).body.organization?.plan, 'enterprise');
    assert.equal((await owner.whoAmI()).body.organization?.role, 'admin');
    assert.equal((await gateway.call('GET', '/api/v1/policies')).status, 200, 'its keys still work');
    assert.equal((await transfer(successor.userId)).status, 403, 'no longer an owner');
    assert.equal(
      (await owner.call('DELETE', `/members/${successor.userId}`)).error['code'],
      'owner_protected',
    );
  });
});

test('an organization is transferred only on acceptance, and the new owner loses no contract of their own', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const { storage } = gateway;
  const poor = await addAccount(gateway, { plan: 'free' });
  const rich = await addAccount(gateway, { plan: 'scale' });
  const richUser = (await storage.users.get(rich.accountId))!;
  await storage.members.add(poor.organizationId, rich.accountId, 'admin');
  const giver = await signInAs(gateway, 'owner', poor.organizationId);
  const successor = await signInAs(gateway, 'owner', rich.organizationId);
  const offer = () =>
    giver.call('POST', '/organization/transfer', { user_id: rich.accountId, current_password: PASSWORD });
  assert.equal((await offer()).body['plan'], 'scale', 'their own plan will apply');
  assert.equal(
    (await giver.whoAmI()).body.organization?.plan,
    'free',
    'and does not apply before they accept',
  );
  const token = await tokenTo(gateway, richUser.email, poor.organizationId);
  await storage.members.remove(poor.organizationId, rich.accountId);
  const late = await successor.call('POST', '/invitation/accept', { token });
  assert.equal(late.status, 410, 'no longer a member');
  await storage.members.add(poor.organizationId, rich.accountId, 'viewer');
  assert.equal(
    (await successor.call('POST', '/invitation/accept', { token })).status,
    200,
    'the link was not used up by it',
  );
  assert.equal((await storage.subscriptions.get(rich.accountId))?.plan, 'scale', 'a contract in use stays');
  assert.equal((await storage.subscriptions.get(poor.accountId))?.plan, 'free');
  const { rows } = await storage.audit.page(poor.organizationId, { kind: 'organization_transferred' });
  assert.deepEqual(rows[0]?.data, { from: poor.accountId, plan: 'scale' });
});

test('if accounts need an invitation, only the service’s owner creates organizations', async (t) => {
  const gateway = await startGateway({ isOwn: true });
  t.after(() => gateway.close());
  const admin = await signInAs(gateway, 'admin');
  const refused = await admin.call('POST', '/organizations', { name: 'Mine' });
  assert.equal(refused.error['code'], 'sign_up_closed');
  const owner = await signInAs(gateway, 'owner');
  const made = await owner.call<{ organization: { plan: string } }>('POST', '/organizations', {
    name: 'Two',
  });
  assert.equal(made.body.organization.plan, 'enterprise');
});
