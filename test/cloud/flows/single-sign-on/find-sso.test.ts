import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import { domainOf, findSso, selectSso } from '../../../../apps/cloud/src/flows/single-sign-on/find-sso.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const ENVIRONMENT = {
  ...{ issuer: 'https://env.example.com', clientId: 'env', clientSecret: null },
  ...{ domains: ['env.example'], roleClaim: 'role', emailTrust: 'tenant' as const },
};
const OWN = {
  ...{ issuer: 'https://own.example.com', clientId: 'own', clientSecret: 'secret' },
  ...{ domains: ['own.example'], roleClaim: null, emailTrust: 'verified' as const },
};
const notFound = (error: unknown) => error instanceof CodedError && error.code === 'not_found';

async function openOrganizations(t: Parameters<typeof openAccountTestEnv>[0]) {
  const { storage, addPerson } = await openAccountTestEnv(t);
  const [{ userId }, { organizationId: other }] = [await addPerson(), await addPerson()];
  const operatorTeam = { kind: 'team', name: 'Operator', ownerId: userId, isOperator: true } as const;
  const { id: operator } = await storage.organizations.insert(operatorTeam);
  const set = (id: string) => storage.singleSignOn.setProvider(id, OWN);
  const without = { storage, environmentSso: null };
  const withIt = { storage, environmentSso: ENVIRONMENT };
  const own = (organizationId: string, isTrusted: boolean) => ({
    ...{ source: 'organization', organizationId, domains: ['own.example'], roleClaim: null },
    emailTrust: 'verified',
    provider: { issuer: OWN.issuer, clientId: 'own', clientSecret: 'secret', isTrusted },
  });
  const environment = {
    ...{ source: 'environment', organizationId: operator, domains: ['env.example'], roleClaim: 'role' },
    emailTrust: 'tenant',
    provider: { issuer: ENVIRONMENT.issuer, clientId: 'env', clientSecret: null, isTrusted: true },
  };
  return { operator, other, set, without, withIt, own, environment };
}

test('an organization has the provider it set; that of the operator is trusted', async (t) => {
  const { operator, other, set, without, withIt, own, environment } = await openOrganizations(t);
  for (const id of [operator, other]) assert.equal(await findSso(without, id), null);
  assert.equal(await findSso(withIt, other), null);
  for (const id of [operator, other]) await set(id);
  assert.deepEqual(await findSso(without, operator), own(operator, true));
  assert.deepEqual(await findSso(without, other), own(other, false));
  assert.deepEqual(await findSso(withIt, operator), environment, 'the environment takes precedence');
  assert.deepEqual(await findSso(withIt, other), own(other, false));
});

test('one is selected by the organization, before the address', async (t) => {
  const { operator, other, set, withIt, own, environment } = await openOrganizations(t);
  await assert.rejects(selectSso(withIt, { organization: other, email: 'a@env.example' }), notFound);
  await set(other);
  const email = 'a@env.example';
  assert.deepEqual(await selectSso(withIt, { organization: other, email }), own(other, false));
  assert.deepEqual(await selectSso(withIt, { organization: operator }), environment);
});

test('one is selected by the domain of an address, in the environment first', async (t) => {
  const { other, set, without, withIt, own, environment } = await openOrganizations(t);
  await set(other);
  assert.deepEqual(await selectSso(withIt, { email: 'A@ENV.example' }), environment);
  assert.deepEqual(await selectSso(withIt, { email: 'a@Own.example ' }), own(other, false));
  for (const deps of [without, withIt]) {
    await assert.rejects(selectSso(deps, { email: 'a@unknown.example' }), notFound);
  }
  await assert.rejects(selectSso(without, { email: 'a@env.example' }), notFound);
});

test('without organization and address it is that of the environment', async (t) => {
  const { operator, set, without, withIt, environment } = await openOrganizations(t);
  assert.deepEqual(await selectSso(withIt, {}), environment);
  await set(operator);
  await assert.rejects(selectSso(without, {}), notFound);
});

test('without an organization of the operator the environment selects none', async (t) => {
  const { storage } = await openAccountTestEnv(t);
  await assert.rejects(selectSso({ storage, environmentSso: ENVIRONMENT }, {}), notFound);
});

test('the domain of an address follows its last @', () => {
  assert.equal(domainOf('a@b.example@C.Example '), 'c.example');
  assert.equal(domainOf('none'), 'none');
});
