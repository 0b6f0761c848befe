import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANS } from '@csg/shared/contract';
import { decideFindings } from '@csg/shared/decision';
import { createScanner } from '../../../apps/cloud/src/detection-workers/scanner.ts';
import type { Principal } from '../../../apps/cloud/src/flows/authenticate-key.ts';
import { principalOfProject } from '../../../apps/cloud/src/flows/principal-of-project.ts';
import { openAccountTestEnv } from '../../support/account-test-env.ts';

/** Presets disagree about it: `support_bot` masks it, `default` does not. */
const IP_ADDRESS = 'The visitor came from 81.2.69.142 today.';

async function openProject(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { userId, organizationId } = await env.addPerson();
  const project = await storage.projects.insert(organizationId, { name: 'P', failMode: 'closed' });
  const scanner = createScanner({ workers: 0, deadlineMs: 5_000 });
  const read = (projectId: string | null, organization = organizationId) =>
    principalOfProject({ storage, scanner, plans: PLANS }, organization, projectId, 'job');
  /** What a scan of a request under the principal decides. */
  const decideFor = async ({ ruleset, organizationId }: Principal, text: string) => {
    const slots = [{ path: '/messages/0', role: 'user', text }] as const;
    const findings = await scanner.scan({ organizationId, deviceId: null }, slots, ruleset, 'input');
    return decideFindings(findings, ruleset.compiled, 'input').decision;
  };
  return { ...env, userId, organizationId, projectId: project.id, scanner, read, decideFor };
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
  const { storage, userId, organizationId, projectId, read, decideFor } = await openProject(t);
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
  assert.equal(principal?.ruleset.input.useCase, 'support_bot');
  assert.equal(await decideFor(principal!, IP_ADDRESS), 'redact');
});

test('it scans with the active policies of its project and its organization', async (t) => {
  const { storage, organizationId, projectId, addPerson, scanner, read, decideFor } = await openProject(t);
  const rule = { description: null, isActive: true, priority: 1, rules: {} } as const;
  const ofAll = { ...rule, name: 'All', action: 'block', threatTypes: ['pii_leak'] } as const;
  await storage.policies.insertMany(organizationId, projectId, [ofAll]);
  const card = 'My card is 4111 1111 1111 1111.';
  const [inProject, without] = [(await read(projectId))!, (await read(null))!];
  assert.equal(await decideFor(inProject, card), 'block');
  assert.equal(await decideFor(without, card), 'redact');
  const [ofOrganization] = await storage.policies.insertMany(organizationId, null, [ofAll]);
  assert.equal(await decideFor((await read(null))!, card), 'block');
  await storage.policies.update(organizationId, ofOrganization!.id, { isActive: false });
  const again = (await read(null))!;
  assert.equal(await decideFor(again, card), 'redact');
  // What one organization sent is never looked up for another.
  const other = await read(null, (await addPerson()).organizationId);
  assert.deepEqual(again.ruleset, scanner.ruleset(again.ruleset.input, organizationId));
  assert.deepEqual(
    [other?.ruleset.key, other?.ruleset.scope === again.ruleset.scope],
    [again.ruleset.key, false],
  );
});

test('without a project the defaults apply, without a contract the Free plan', async (t) => {
  const { read, decideFor } = await openProject(t);
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
  assert.deepEqual(principal?.ruleset.input, { useCase: 'default', strictness: 'moderate', policies: [] });
  assert.equal(await decideFor(principal!, IP_ADDRESS), 'allow');
});

test('the policy webhook takes part while it is enabled', async (t) => {
  const { storage, organizationId, projectId, read } = await openProject(t);
  for (const isEnabled of [true, false]) {
    const policy = {
      url: 'https://policy.example.com',
      isEnabled,
      failMode: 'open',
      timeoutMs: 500,
    } as const;
    await storage.endpoints.put(organizationId, 'policy', projectId, policy);
    assert.equal(
      (await read(projectId))?.policyWebhook?.url,
      isEnabled ? 'https://policy.example.com' : undefined,
    );
  }
});
