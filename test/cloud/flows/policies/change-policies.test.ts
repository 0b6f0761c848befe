import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError, type CreatePolicy, ValidationError } from '@csg/shared/contract';
import { createPacedTurns } from '../../../../apps/cloud/src/fairness/paced-turns.ts';
import {
  changePolicy,
  createPolicy,
  deletePolicy,
  reorderPolicies,
  restorePolicy,
} from '../../../../apps/cloud/src/flows/policies/change-policies.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const DRAFT: CreatePolicy = { name: ' Falcon ', action: 'monitor', threat_types: ['jailbreak', 'jailbreak'] };
const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof CodedError && error.code === expected && message.test(error.message);
const field = (name: string, message: RegExp) => (error: unknown) =>
  error instanceof ValidationError &&
  error.detail[0]?.loc.join() === `body,${name}` &&
  message.test(error.detail[0].msg);

async function openPolicies(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { userId, organizationId } = await env.addPerson();
  const admin = { organizationId, id: userId, userId };
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
  let forgotten = 0;
  const forgetKeys = () => {
    forgotten += 1;
  };
  const pacedTurns = createPacedTurns({ elapsed: () => performance.now() });
  const deps = { ...env.deps, forgetKeys, pacedTurns };
  const create = (change: Partial<CreatePolicy> = {}, options?: { uniqueName?: boolean }) =>
    createPolicy(deps, admin, { ...DRAFT, ...change }, options);
  const log = async () =>
    (await env.changes(organizationId)).map(({ kind, subject, data }) => [kind, subject, data]);
  const versions = async (id: string) =>
    (await storage.policies.listVersions(organizationId, id)).map(({ version, changedBy, policy }) => [
      version,
      changedBy,
      policy.name,
    ]);
  const names = async () => (await storage.policies.list(organizationId)).map(({ name }) => name);
  return {
    ...env,
    deps,
    admin,
    organizationId,
    projectId,
    create,
    log,
    versions,
    names,
    forgotten: () => forgotten,
  };
}

test('a new policy has the highest priority and its first version, and is recorded without its words', async (t) => {
  const { admin, projectId, create, log, versions, names, forgotten } = await openPolicies(t);
  const first = await create({ project_id: projectId, patterns: [{ name: 'F', pattern: 'falcon' }] });
  assert.deepEqual([first.name, first.version, first.is_active], ['Falcon', 1, true]);
  assert.deepEqual(await versions(first.id), [[1, admin.id, 'Falcon']]);
  assert.deepEqual(await log(), [
    [
      'policy_created',
      first.id,
      {
        ...{ project_id: projectId, action: 'monitor', mode: 'enforce', is_active: true },
        ...{ threat_types: ['jailbreak'], patterns: 1, domains: 0, version: 1 },
      },
    ],
  ]);
  await create({ name: 'Second' });
  await create({ name: 'Third', is_active: false, mode: 'monitor' });
  assert.deepEqual(await names(), ['Third', 'Second', 'Falcon']);
  assert.equal(forgotten(), 3);
});

test('a policy takes a project of the organization, and where that is asked for a name of its own', async (t) => {
  const { storage, projectId, create, addPerson, log } = await openPolicies(t);
  const foreign = await storage.projects.insert((await addPerson()).organizationId, { name: 'F' });
  await assert.rejects(create({ project_id: foreign.id }), field('project_id', /project/));
  assert.deepEqual(await log(), []);
  const unique = { uniqueName: true };
  await create({}, unique);
  await assert.rejects(create({}, unique), code('invalid_state', /named "Falcon"/));
  await create({ project_id: projectId }, unique);
  await create({ name: 'Other' }, unique);
  await create();
});

test('an account has so many policies, patterns and domains, and no more', async (t) => {
  const { storage, organizationId, create } = await openPolicies(t);
  const patterns = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `${n}`, pattern: `falcon-${n}` }));
  const domains = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example.com`);
  await create({ patterns: patterns(50) });
  await create({ patterns: patterns(50) });
  await create({ patterns: patterns(50) });
  const last = await create({ patterns: patterns(50) });
  await assert.rejects(create({ patterns: patterns(1) }), field('patterns', /200 patterns.* 201/));
  await deletePolicyOf(last.id);
  await create({ blocked_domains: domains(1), allowed_domains: domains(1) });
  const row = {
    action: 'block',
    threatTypes: [],
    priority: 1,
    rules: { blocked_domains: domains(4_998) },
  } as const;
  await storage.policies.insertMany(organizationId, null, [{ ...row, name: 'Many' }]);
  await assert.rejects(
    create({ blocked_domains: domains(1) }),
    field('blocked_domains', /5000 domains.* 5001/),
  );
  const plain = { action: 'block', threatTypes: ['jailbreak'], priority: 1 } as const;
  const filler = Array.from({ length: 194 }, (_, n) => ({ ...plain, name: `f${n}` }));
  await storage.policies.insertMany(organizationId, null, filler);
  await storage.policies.insertMany(organizationId, null, [{ ...plain, name: 'Preset', fromPreset: true }]);
  await create({ name: 'Last' });
  await assert.rejects(create(), code('plan_limit_reached', /200 policies/));
  async function deletePolicyOf(id: string) {
    await storage.policies.remove(organizationId, id);
  }
});

test('a change counts the rules of the other policies, and its own once', async (t) => {
  const { deps, admin, create } = await openPolicies(t);
  const patterns = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `${n}`, pattern: `falcon-${n}` }));
  for (let n = 0; n < 3; n++) await create({ patterns: patterns(50) });
  const full = await create({ patterns: patterns(50) });
  const empty = await create();
  await assert.rejects(
    changePolicy(deps, admin, empty.id, { version: 1, patterns: patterns(1) }),
    field('patterns', /200 patterns.* 201/),
  );
  const changed = await changePolicy(deps, admin, full.id, {
    ...{ version: 1, patterns: patterns(50).toReversed() },
  });
  assert.equal(changed.version, 2);
});

test('a change keeps what it does not name, stores both versions, and is recorded with what was before', async (t) => {
  const { deps, storage, admin, organizationId, create, log, versions, forgotten } = await openPolicies(t);
  const made = await create({
    allowed_values: ['one-value', 'two-value'],
    threat_types: ['pii_leak'],
    blocked_domains: ['x.example.com'],
  });
  const before = await storage.policies.get(organizationId, made.id);
  const changed = await changePolicy(deps, admin, made.id, { version: 1, name: 'Eagle', is_active: false });
  assert.deepEqual(
    [changed.name, changed.version, changed.is_active, changed.action, changed.threat_types],
    ['Eagle', 2, false, 'monitor', ['pii_leak']],
  );
  const after = await storage.policies.get(organizationId, made.id);
  assert.deepEqual([after?.priority, after?.rules], [before?.priority, before?.rules]);
  assert.deepEqual(await versions(made.id), [
    [2, admin.id, 'Eagle'],
    [1, admin.id, 'Falcon'],
  ]);
  const data = {
    ...{ project_id: null, action: 'monitor', mode: 'enforce', threat_types: ['pii_leak'] },
    ...{ patterns: 0, domains: 1, allowed_values: 2 },
  };
  assert.deepEqual((await log()).at(-1), [
    'policy_changed',
    made.id,
    { ...data, is_active: false, version: 2, before: { ...data, is_active: true, version: 1 } },
  ]);
  assert.equal(forgotten(), 2);
});

test('the second of two changes of one version is rejected, and changes nothing', async (t) => {
  const { deps, admin, create, versions, forgotten } = await openPolicies(t);
  const { id } = await create();
  await changePolicy(deps, admin, id, { version: 1, name: 'Eagle' });
  await assert.rejects(
    changePolicy(deps, admin, id, { version: 1, name: 'Hawk' }),
    code('invalid_state', /this policy meanwhile/),
  );
  const results = await Promise.allSettled(
    ['Kite', 'Hawk'].map((name) => changePolicy(deps, admin, id, { version: 2, name })),
  );
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.equal((await versions(id)).length, 3);
  assert.equal(forgotten(), 3);
});

test('an earlier version is restored as a new one', async (t) => {
  const { deps, admin, create, versions } = await openPolicies(t);
  const { id } = await create();
  await changePolicy(deps, admin, id, { version: 1, name: 'Eagle' });
  const restored = await restorePolicy(deps, admin, id, 1);
  assert.deepEqual([restored.name, restored.version], ['Falcon', 3]);
  assert.deepEqual((await versions(id))[0], [3, admin.id, 'Falcon']);
  await assert.rejects(restorePolicy(deps, admin, id, 9), code('not_found', /version 9/));
});

test('rows of a preset and policies of others are neither changed nor deleted', async (t) => {
  const { deps, storage, admin, organizationId, create, log, names, forgotten } = await openPolicies(t);
  const [preset] = await storage.policies.insertMany(organizationId, null, [
    { name: 'Preset', action: 'block', threatTypes: [], priority: 1, fromPreset: true },
  ]);
  for (const act of [
    (id: string) => changePolicy(deps, admin, id, { name: 'x' }),
    (id: string) => deletePolicy(deps, admin, id),
  ]) {
    await assert.rejects(act(preset!.id), code('invalid_state', /preset/));
    await assert.rejects(act('pol_none'), code('not_found'));
  }
  assert.deepEqual([await log(), forgotten()], [[], 0]);
  const { id } = await create();
  await deletePolicy(deps, admin, id);
  assert.deepEqual(await names(), ['Preset']);
  const [kind, subject] = (await log()).at(-1)!;
  assert.deepEqual([kind, subject, forgotten()], ['policy_deleted', id, 2]);
});

test('policies are put in order whole, and only those that move are changed', async (t) => {
  const { deps, storage, admin, organizationId, create, log, names, forgotten } = await openPolicies(t);
  await storage.policies.insertMany(organizationId, null, [
    { name: 'Preset', action: 'block', threatTypes: [], priority: 1, fromPreset: true },
  ]);
  const made = [await create({ name: 'A' }), await create({ name: 'B' }), await create({ name: 'C' })];
  const [a, b, c] = made.map(({ id }) => id) as [string, string, string];
  for (const ids of [
    [a, b],
    [a, b, c, c],
    [a, b, b],
    [a, b, 'pol_none'],
  ]) {
    await assert.rejects(reorderPolicies(deps, admin, ids), code('invalid_state', /meanwhile/));
  }
  assert.equal(forgotten(), 3);
  const ordered = await reorderPolicies(deps, admin, [c, a, b]);
  assert.deepEqual(
    ordered.map(({ name, version }) => [name, version]),
    [
      ['C', 1],
      ['A', 2],
      ['B', 2],
    ],
  );
  assert.deepEqual(await names(), ['C', 'A', 'B', 'Preset']);
  assert.deepEqual((await log()).at(-1), ['policies_reordered', organizationId, { policy_ids: [c, a, b] }]);
  assert.equal(forgotten(), 4);
});
