import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANS } from '@csg/shared/contract';
import { principalOfProject } from '../../../apps/cloud/src/flows/principal-of-project.ts';
import { openAccountTestEnv } from '../../support/account-test-env.ts';

async function openProject(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { userId, organizationId } = await env.addPerson();
  const project = await storage.projects.insert(organizationId, { name: 'P', failMode: 'closed' });
  const asked: unknown[] = [];
  const scanner = { ruleset: (input: unknown, owner: string) => void asked.push([input, owner]) };
  const read = (projectId: string | null, organization = organizationId) =>
    principalOfProject({ storage, scanner: scanner as never, plans: PLANS }, organization, projectId, 'job');
  return { ...env, userId, organizationId, projectId: project.id, asked, read };
}

test('a project that is gone, or of another organization, has no principal', async (t) => {
  const { storage, organizationId, projectId, addPerson, read } = await openProject(t);
  assert.equal(await read('proj_none'), null);
  assert.equal(await read(projectId, (await addPerson()).organizationId), null);
  assert.equal(await read(null, 'org_none'), null);
  assert.equal(await read(projectId, 'org_none'), null);
  assert.notEqual(await read(projectId), null);
  await storage.transaction((repositories) =>
    repositories.deletions.removeProject(organizationId, projectId),
  );
  assert.equal(await read(projectId), null);
});

test('it acts under the settings of the project and the contract of its owner', async (t) => {
  const { storage, userId, organizationId, projectId, asked, read } = await openProject(t);
  await storage.subscriptions.set(userId, { plan: 'pro', status: 'active', perMinute: 7, onDemand: true });
  await storage.projects.update(organizationId, projectId, {
    zeroRetention: true,
    useCase: 'support_bot',
  });
  const principal = await read(projectId);
  assert.deepEqual(
    [principal?.actor, principal?.keyId, principal?.projectId, principal?.userId, principal?.deviceId],
    ['job', 'job', projectId, null, null],
  );
  assert.deepEqual(
    [principal?.failMode, principal?.zeroRetention, principal?.webhooks],
    ['closed', true, []],
  );
  const { account } = principal!;
  assert.deepEqual(
    [account.id, account.planName, account.status, account.plan.perMinute, account.onDemand],
    [userId, 'pro', 'active', 7, true],
  );
  const [[input, owner]] = asked as [[{ useCase: string }, string]];
  assert.deepEqual([input.useCase, owner], ['support_bot', organizationId]);
});

test('without a project the defaults apply, without a contract the Free plan', async (t) => {
  const { asked, read } = await openProject(t);
  const principal = await read(null);
  assert.deepEqual(
    [principal?.projectId, principal?.failMode, principal?.zeroRetention, principal?.policyWebhook],
    [null, 'open', false, null],
  );
  const { account } = principal!;
  assert.deepEqual(
    [account.planName, account.status, account.plan.monthly],
    ['free', 'none', PLANS.free.monthly],
  );
  const [[input]] = asked as [[{ useCase: string; strictness: string }, string]];
  assert.deepEqual([input.useCase, input.strictness], ['default', 'moderate']);
});

test('the policy webhook takes part while it is enabled', async (t) => {
  const { storage, organizationId, projectId, read } = await openProject(t);
  for (const isEnabled of [true, false]) {
    await storage.projects.update(organizationId, projectId, {
      policyWebhook: { url: 'https://policy.example.com', isEnabled, failMode: 'open', timeoutMs: 500 },
    });
    assert.equal(
      (await read(projectId))?.policyWebhook?.url,
      isEnabled ? 'https://policy.example.com' : undefined,
    );
  }
});
