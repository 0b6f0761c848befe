import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import { startSession } from '../../../../apps/cloud/src/flows/accounts/start-session.ts';
import { changeSso, removeSso } from '../../../../apps/cloud/src/flows/single-sign-on/change-sso.ts';
import { createTxtReader } from '../../../../apps/cloud/src/outbound/read-txt-records.ts';
import { BROWSER, openAccountTestEnv } from '../../../support/account-test-env.ts';
import { startDnsServer } from '../../../support/dns-server.ts';

const ISSUER = 'https://93.184.216.34';
const INNER = 'https://10.0.0.1';
const code = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof CodedError, String(error));
  assert.equal(error.code, expected);
  return true;
};
const invalid =
  (...issues: readonly { loc: unknown[]; type: string }[]) =>
  (error: unknown) => {
    assert.ok(error instanceof ValidationError, String(error));
    assert.deepEqual(
      error.detail.map(({ loc, type }) => ({ loc, type })),
      issues,
    );
    return true;
  };

async function openTeam(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const dns = await startDnsServer();
  t.after(() => dns.close());
  const caller = await env.addCaller();
  const { organizationId, userId } = caller;
  const deps = {
    ...{ storage, environmentSso: null, targetRules: {} },
    readTxtRecords: createTxtReader([dns.address]),
  };
  const recordOf = (domain: string, id = organizationId) => ({
    record_name: `_csg-verification.${domain}`,
    record_value: storage.singleSignOn.domainProof(id, domain),
  });
  const prove = (domain: string, value = recordOf(domain).record_value) =>
    dns.txt.set(recordOf(domain).record_name, value);
  for (const domain of ['one.example', 'two.example']) prove(domain);
  const input = { issuer: ISSUER, client_id: 'client', domains: ['one.example'] };
  const change = (more: Partial<Parameters<typeof changeSso>[2]> = {}) =>
    changeSso(deps, caller, { ...input, client_secret: 'secret', ...more });
  const changeWithoutSecret = (more: Partial<typeof input> = {}) =>
    changeSso(deps, caller, { ...input, ...more });
  const stored = async () => {
    const provider = await storage.singleSignOn.getProvider(organizationId);
    if (provider === null) return null;
    const { updatedAtMs: _, organizationId: __, ...rest } = provider;
    return rest;
  };
  /** Sessions of the organization's provider. */
  const signInBySso = () =>
    storage.transaction((of) => startSession(of, clock, userId, BROWSER, organizationId, true));
  const bySso = async () =>
    (await storage.sessions.list(userId)).filter(({ ssoOrganizationId }) => ssoOrganizationId !== null)
      .length;
  const log = async () =>
    (await env.changes(organizationId)).map(({ kind, actor, subject, data }) => {
      assert.deepEqual([actor, subject], [userId, organizationId]);
      return [kind, data];
    });
  const team = { deps, caller, input, recordOf, prove, change, changeWithoutSecret };
  return { ...env, ...team, stored, signInBySso, bySso, log };
}

test('a provider is stored and recorded, without its secret in the record', async (t) => {
  const { change, stored, log } = await openTeam(t);
  const domains = [' One.Example', 'two.example ', 'one.example'];
  await change({ issuer: ` ${ISSUER} `, domains, role_claim: ' groups ' });
  const all = ['one.example', 'two.example'];
  assert.deepEqual(await stored(), {
    ...{ issuer: ISSUER, clientId: 'client', clientSecret: 'secret' },
    ...{ roleClaim: 'groups', domains: all, emailTrust: 'verified' },
  });
  const data = { issuer: ISSUER, client_id: 'client', domains: all, email_trust: 'verified' };
  assert.deepEqual(await log(), [['sso_changed', { ...data, role_claim: ' groups ' }]]);
  await change({ role_claim: '  ' });
  assert.equal((await stored())?.roleClaim, null);
  await change();
  assert.equal((await stored())?.roleClaim, null);
  assert.deepEqual((await log())[2], [
    'sso_changed',
    { ...data, domains: ['one.example'], role_claim: null },
  ]);
});

test('trust in a tenant is stored for an issuer of one tenant only, and has to be chosen each time', async (t) => {
  const { change, stored } = await openTeam(t);
  await change({ email_trust: 'tenant' });
  assert.equal((await stored())?.emailTrust, 'tenant');
  await assert.rejects(
    change({ issuer: 'https://login.microsoftonline.com/common/v2.0', email_trust: 'tenant' }),
    invalid({ loc: ['body', 'email_trust'], type: 'shared_issuer' }),
  );
  assert.equal((await stored())?.issuer, ISSUER);
  await change();
  assert.equal((await stored())?.emailTrust, 'verified');
});

test('every domain is proven by a record of this organization', async (t) => {
  const { change, stored, log, prove, recordOf, addPerson } = await openTeam(t);
  const other = await addPerson();
  prove('three.example', recordOf('three.example', other.organizationId).record_value);
  const domains = ['four.example', 'one.example', 'three.example'];
  await assert.rejects(change({ domains }), (error) => {
    assert.ok(error instanceof ValidationError);
    assert.deepEqual(
      error.detail.map(({ loc, type, ctx }) => ({ loc, type, ctx })),
      [0, 2].map((index) => ({
        ...{ loc: ['body', 'domains', index], type: 'domain_not_proven' },
        ctx: recordOf(domains[index]!),
      })),
    );
    return true;
  });
  assert.deepEqual([await stored(), await log()], [null, []]);
});

test('an issuer is an https address, on the public internet unless the operator sets it', async (t) => {
  const { deps, storage, caller, input, change, stored, addCaller, prove, recordOf } = await openTeam(t);
  for (const issuer of ['ftp://x', 'http://login.example.com', `${ISSUER}/?x=1`, 'none']) {
    await assert.rejects(change({ issuer }), invalid({ loc: ['body', 'issuer'], type: 'issuer' }), issuer);
  }
  const denied = invalid({ loc: ['body', 'issuer'], type: 'address_refused' });
  await assert.rejects(change({ issuer: INNER }), denied);
  const { userId } = await addCaller();
  const { id } = await storage.organizations.insert({
    ...{ kind: 'team', name: 'Operator', ownerId: userId, isOperator: true },
  });
  await assert.rejects(change({ issuer: INNER }), denied, 'another organization');
  assert.equal(await stored(), null);
  prove('one.example', recordOf('one.example', id).record_value);
  await changeSso(deps, { ...caller, organizationId: id, userId }, { ...input, issuer: INNER });
  assert.equal((await storage.singleSignOn.getProvider(id))?.issuer, INNER);
});

test('a secret that is left out stays for the same client, whose sessions continue', async (t) => {
  const { change, changeWithoutSecret, stored, signInBySso, bySso } = await openTeam(t);
  const secret = async () => (await stored())?.clientSecret;
  await changeWithoutSecret();
  assert.equal(await secret(), null);
  await change();
  await signInBySso();
  await changeWithoutSecret();
  assert.deepEqual([await secret(), await bySso()], ['secret', 1]);
  await change({ client_secret: 'new' });
  assert.deepEqual([await secret(), await bySso()], ['new', 1]);
  for (const other of [
    { issuer: ISSUER, client_id: 'other' },
    { issuer: `${ISSUER}/tenant`, client_id: 'other' },
  ]) {
    await changeWithoutSecret(other);
    assert.deepEqual([await secret(), await bySso()], [null, 0]);
    await change({ ...other, client_secret: 'new' });
    await signInBySso();
  }
});

test('removal ends the sessions and the rule that requires single sign-on, and is recorded', async (t) => {
  const { deps, storage, caller, change, stored, signInBySso, bySso, log } = await openTeam(t);
  const { organizationId } = caller;
  const isRequired = async () => (await storage.organizations.get(organizationId))?.ssoOnly;
  await storage.organizations.setSsoOnly(organizationId, true);
  await assert.rejects(removeSso(deps, caller), code('not_found'));
  assert.deepEqual([await isRequired(), await log()], [true, []]);
  await change();
  await signInBySso();
  await removeSso(deps, caller);
  assert.deepEqual([await stored(), await bySso(), await isRequired()], [null, 0, false]);
  assert.equal((await storage.sessions.list(caller.userId)).length, 1, 'one by password continues');
  assert.deepEqual((await log())[1], ['sso_removed', {}]);
  await assert.rejects(removeSso(deps, caller), code('not_found'));
});

test('what the environment sets for the operator is not changed here', async (t) => {
  const { deps, storage, caller, input, change } = await openTeam(t);
  const { id } = await storage.organizations.insert({
    ...{ kind: 'team', name: 'Operator', ownerId: caller.userId, isOperator: true },
  });
  const environmentSso = {
    ...{ issuer: ISSUER, clientId: 'env', clientSecret: null, domains: ['one.example'], roleClaim: null },
    emailTrust: 'verified' as const,
  };
  const operator = { ...caller, organizationId: id };
  await storage.singleSignOn.setProvider(id, environmentSso);
  const withIt = { ...deps, environmentSso };
  await assert.rejects(changeSso(withIt, operator, input), code('invalid_state'));
  await assert.rejects(removeSso(withIt, operator), code('invalid_state'));
  assert.ok(await storage.singleSignOn.getProvider(id));
  await change();
  await removeSso(withIt, caller);
});
