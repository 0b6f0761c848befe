import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DEFAULT_BLOCKED_TOOLS, type ToolLists } from '@csg/shared/contract';
import { changeToolLists, readToolLists } from '../../../../apps/cloud/src/flows/agent/change-tool-lists.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const LISTS: ToolLists = {
  ...{ blocked_tools: ['rm', 'rm', 'dd'], allowed_tools: [], review_required_tools: ['pay'] },
};

async function openLists(t: TestContext) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { userId, organizationId } = await env.addPerson();
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
  const foreign = (await env.addPerson()).organizationId;
  const foreignProject = (await storage.projects.insert(foreign, { name: 'F' })).id;
  const admin = { organizationId, id: userId, userId };
  const change = (project = projectId, by = admin) => changeToolLists({ storage }, by, project, LISTS);
  const read = (project = projectId) => readToolLists({ storage }, organizationId, project);
  return { ...env, admin, organizationId, projectId, foreignProject, change, read };
}

test('lists are replaced as a whole, each name once, and recorded by their lengths', async (t) => {
  const { organizationId, projectId, change, read, changes } = await openLists(t);
  assert.deepEqual(await read(), {
    ...{ blocked_tools: [...DEFAULT_BLOCKED_TOOLS], allowed_tools: [], review_required_tools: [] },
  });
  const stored = { ...LISTS, blocked_tools: ['rm', 'dd'] };
  assert.deepEqual(await change(), stored);
  assert.deepEqual(await read(), stored);
  const counts = {
    ...{ blocked: 2, allowed: 0, review_required: 1 },
    before: { blocked: DEFAULT_BLOCKED_TOOLS.length, allowed: 0, review_required: 0 },
  };
  assert.deepEqual(
    (await changes(organizationId)).map(({ kind, subject, data }) => [kind, subject, data]),
    [['tool_lists_changed', projectId, counts]],
  );
});

test('only an admin of the project changes them', async (t) => {
  const { storage, admin, organizationId, projectId, foreignProject, change, read, addPerson, changes } =
    await openLists(t);
  const { userId } = await addPerson();
  await storage.members.add(organizationId, userId, 'member');
  const asMember = { ...admin, id: userId, userId };
  await assert.rejects(change(projectId, asMember), { code: 'insufficient_role' });
  for (const unknown of ['proj_none', foreignProject]) {
    await assert.rejects(change(unknown), { code: 'not_found' }, unknown);
    await assert.rejects(read(unknown), { code: 'not_found' }, unknown);
  }
  assert.deepEqual(await changes(organizationId), []);
});
