import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import {
  changeOrganization,
  createOrganization,
  selectOrganization,
  type TeamCaller,
} from '../../../../apps/cloud/src/flows/accounts/organizations.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof CodedError && error.code === expected && message.test(error.message);

async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const caller = await env.addCaller('enterprise');
  const { sessionId } = caller.session;
  let forgotten = 0;
  const forgetKeys = () => {
    forgotten += 1;
  };
  const selected = async () =>
    (await env.storage.sessions.list(caller.userId)).find(({ id }) => id === sessionId)?.organizationId;
  const chosenAt = async (id: string) =>
    (await env.storage.organizations.listForUser(caller.userId)).find((one) => one.id === id)?.chosenAtMs;
  const change = (input: Parameters<typeof changeOrganization>[2], by: TeamCaller = caller) =>
    changeOrganization({ ...env.deps, environmentSso: null, forgetKeys }, by, input);
  const read = () => env.storage.organizations.get(caller.organizationId);
  return { ...env, caller, selected, chosenAt, change, read, forgotten: () => forgotten };
}

test('a new organization has its maker as owner, and opens in this session and the next ones', async (t) => {
  const { deps, storage, clock, caller, selected, chosenAt } = await openTeam(t);
  const id = await createOrganization({ ...deps, signUp: 'open' }, caller.session, ' Second ');
  const made = await storage.organizations.get(id);
  assert.deepEqual([made?.name, made?.kind, made?.ownerId], ['Second', 'team', caller.userId]);
  assert.equal(await selected(), id);
  assert.equal(await chosenAt(id), clock.now());
});

test('it takes a verified address, room for one more, and where sign-up is closed the operator', async (t) => {
  const { deps, storage, caller, addPerson } = await openTeam(t);
  const create = (signUp: 'open' | 'invitation', person = caller.session) =>
    createOrganization({ ...deps, signUp }, person, 'Second');
  await assert.rejects(
    create('open', { ...caller.session, isEmailVerified: false }),
    code('email_not_verified'),
  );
  await assert.rejects(create('invitation'), code('sign_up_closed'));
  const operator = await addPerson();
  await storage.organizations.insert({
    ...{ kind: 'team', name: 'Op', isOperator: true },
    ownerId: operator.userId,
  });
  await assert.rejects(create('invitation'), code('sign_up_closed'));
  await create('invitation', { ...caller.session, userId: operator.userId });
  const own = () => storage.organizations.insert({ kind: 'team', name: 'More', ownerId: caller.userId });
  for (let n = 0; n < 48; n++) await own();
  await create('open');
  await assert.rejects(create('open'), code('plan_limit_reached', /50/));
});

test('one of one’s own organizations is opened, one of others is not found', async (t) => {
  const { deps, storage, clock, caller, selected, chosenAt, addPerson } = await openTeam(t);
  const { organizationId: other } = await addPerson();
  await assert.rejects(selectOrganization(deps, caller.session, other), code('not_found'));
  assert.equal(await selected(), caller.organizationId);
  await storage.members.add(other, caller.userId, 'viewer');
  clock.advance(5);
  await selectOrganization(deps, caller.session, other);
  assert.deepEqual([await selected(), await chosenAt(other)], [other, clock.now()]);
});

test('each setting is changed alone, and recorded', async (t) => {
  const { caller, change, read, changes, forgotten } = await openTeam(t);
  const data = async () => (await changes(caller.organizationId)).at(-1)?.data;
  await change({ name: ' Renamed ' });
  assert.equal((await read())?.name, 'Renamed');
  assert.deepEqual(await data(), { renamed: true });
  await change({ allowed_ips: ['192.0.2.7', '192.0.2.7', '2001:db8::/48'] });
  assert.deepEqual((await read())?.allowedIps, ['192.0.2.7', '2001:db8::/48']);
  assert.deepEqual(await data(), { renamed: false, allowed_ips: ['192.0.2.7', '2001:db8::/48'] });
  await change({ sso_only: false });
  assert.deepEqual(await data(), { renamed: false, sso_only: false });
  const withFactor = { ...caller, session: { ...caller.session, hasSecondFactor: true } };
  await change({ requires_second_factor: true }, withFactor);
  const organization = await read();
  assert.deepEqual(
    [organization?.name, organization?.requiresSecondFactor, organization?.ssoOnly],
    ['Renamed', true, false],
  );
  assert.deepEqual(await data(), { renamed: false, requires_second_factor: true });
  await change({ requires_second_factor: false });
  assert.equal((await read())?.requiresSecondFactor, false);
  assert.equal(forgotten(), 5);
});

test('an address list takes the plan for it, addresses, and a hundred at most; clearing it takes nothing', async (t) => {
  const { change, read, forgotten, addCaller } = await openTeam(t);
  const free = await addCaller();
  const range = (n: number) => `192.0.2.${n}`;
  await assert.rejects(change({ allowed_ips: [range(1)] }, free), code('feature_not_available'));
  await change({ allowed_ips: [] }, free);
  const at = (index: number, message: RegExp) => (error: unknown) =>
    error instanceof ValidationError &&
    error.detail[0]?.loc.join() === `body,allowed_ips,${index}` &&
    message.test(error.detail[0].msg);
  await assert.rejects(change({ allowed_ips: [range(1), 'home'] }), at(1, /192\.0\.2\.7/));
  const many = Array.from({ length: 101 }, (_, n) => range(n));
  await assert.rejects(change({ allowed_ips: many }), at(100, /100/));
  await change({ allowed_ips: many.slice(0, 100) });
  assert.equal((await read())?.allowedIps.length, 100);
  assert.equal(forgotten(), 2);
});

test('an admin cannot shut themselves out by a second factor or by single sign-on', async (t) => {
  const { storage, caller, change, read } = await openTeam(t);
  await assert.rejects(
    change({ requires_second_factor: true }),
    code('invalid_state', /second factor|two-factor/i),
  );
  await assert.rejects(change({ sso_only: true }), code('invalid_state', /Set up single sign-on/));
  await storage.singleSignOn.setProvider(caller.organizationId, {
    ...{ issuer: 'https://idp.example.com', clientId: 'c', clientSecret: null, roleClaim: null, domains: [] },
    emailTrust: 'verified',
  });
  const admin = { ...caller, role: 'admin' as const };
  await assert.rejects(
    change({ sso_only: true }, admin),
    code('invalid_state', /Sign in with single sign-on/),
  );
  const { organizationId } = caller;
  await change(
    { sso_only: true },
    { ...admin, session: { ...admin.session, ssoOrganizationId: organizationId } },
  );
  assert.equal((await read())?.ssoOnly, true);
  await change({ sso_only: true });
});
