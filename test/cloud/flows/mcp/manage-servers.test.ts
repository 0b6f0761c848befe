import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { CodedError, type SetMcpServer, ValidationError } from '@csg/shared/contract';
import {
  decideMcpTool,
  getMcpServer,
  listMcpServers,
  removeMcpServer,
  setMcpServer,
} from '../../../../apps/cloud/src/flows/mcp/manage-servers.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

const URL_OF = 'https://192.0.2.7/mcp';
const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof CodedError && error.code === expected && message.test(error.message);

async function openServers(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage } = env;
  const { userId, organizationId } = await env.addPerson();
  const admin = { organizationId, id: userId, userId };
  const { id: projectId } = await storage.projects.insert(organizationId, { name: 'P' });
  const viewer = (await env.addPerson()).userId;
  await storage.members.add(organizationId, viewer, 'viewer');
  let forgotten = 0;
  const forgetKeys = () => {
    forgotten += 1;
  };
  const shared = ['docs', 'search'].map((name) => ({
    name,
    url: `https://${name}.example.com`,
    headers: {},
  }));
  const deps = { ...env.deps, mcpServers: shared as never, targetRules: { allowPrivate: true }, forgetKeys };
  const set = (name: string, change: Partial<SetMcpServer> = {}, by = admin, project = projectId) =>
    setMcpServer(deps, by, project, name, { url: URL_OF, ...change });
  const log = async () =>
    (await env.changes(organizationId)).map(({ kind, subject, data }) => [kind, subject, data]);
  const asViewer = { organizationId, id: viewer, userId: viewer };
  return { ...env, deps, admin, asViewer, organizationId, projectId, set, log, forgotten: () => forgotten };
}

test('a project has its own servers, and those of the operator that it does not replace', async (t) => {
  const { deps, admin, projectId, set, log, storage } = await openServers(t);
  const made = await set('docs', { url: ` ${URL_OF} `, headers: { Authorization: 'Bearer x' } });
  assert.deepEqual(made, {
    ...{
      name: 'docs',
      url: URL_OF,
      source: 'project',
      header_names: ['Authorization'],
      warnings: [],
      tools: [],
    },
  });
  const listed = await listMcpServers(deps, admin, projectId);
  assert.deepEqual(
    listed.map(({ name, source }) => [name, source]),
    [
      ['docs', 'project'],
      ['search', 'file'],
    ],
  );
  assert.equal((await getMcpServer(deps, admin, projectId, 'search')).url, 'https://search.example.com');
  await assert.rejects(getMcpServer(deps, admin, projectId, 'none'), code('not_found'));
  await assert.rejects(listMcpServers(deps, admin, 'proj_none'), code('not_found'));
  assert.deepEqual(await log(), [
    ['mcp.server_set', projectId, { server: 'docs', header_names: ['Authorization'] }],
  ]);
  const other = await storage.projects.insert(admin.organizationId, { name: 'Q' });
  assert.deepEqual(
    (await listMcpServers(deps, admin, other.id)).map(({ source }) => source),
    ['file', 'file'],
  );
});

test('an admin of a project sets addresses that can be reached, without headers of the gateway', async (t) => {
  const { asViewer, admin, set, log } = await openServers(t);
  await assert.rejects(set('a', {}, asViewer), code('insufficient_role'));
  await assert.rejects(set('a', {}, admin, 'proj_none'), code('not_found'));
  for (const header of ['Host', 'content-length', 'Mcp-Session-Id', 'TE']) {
    await assert.rejects(
      set('a', { headers: { 'X-Own': '1', [header]: '1' } }),
      (error) => error instanceof ValidationError && error.detail[0]?.loc.join() === `body,headers,${header}`,
    );
  }
  await assert.rejects(set('a', { url: 'ftp://192.0.2.7/' }), ValidationError);
  const { warnings } = await set('a', { url: 'http://192.0.2.7/mcp' });
  assert.match(warnings.join(), /http/);
  assert.equal((await log()).length, 1);
});

test('a project has a hundred servers at most; one that is there is replaced', async (t) => {
  const { storage, projectId, set } = await openServers(t);
  for (let n = 0; n < 99; n++)
    await storage.mcpServers.put(projectId, { name: `s${n}`, url: URL_OF, headers: {} });
  await set('last');
  await set('last', { url: 'https://192.0.2.8/mcp' });
  await assert.rejects(set('more'), code('plan_limit_reached', /100/));
});

test('a server is removed once, by an admin', async (t) => {
  const { deps, admin, asViewer, projectId, set, log, forgotten } = await openServers(t);
  await set('docs');
  await assert.rejects(removeMcpServer(deps, asViewer, projectId, 'docs'), code('insufficient_role'));
  await removeMcpServer(deps, admin, projectId, 'docs');
  await assert.rejects(removeMcpServer(deps, admin, projectId, 'docs'), code('not_found'));
  assert.deepEqual((await log()).slice(1), [['mcp.server_removed', projectId, { server: 'docs' }]]);
  assert.equal(forgotten(), 1);
});

test('a definition that waits is approved or denied as it was shown, and once', async (t) => {
  const { deps, storage, clock, admin, asViewer, projectId, set, log, forgotten } = await openServers(t);
  await set('docs');
  const pinned = JSON.stringify({ name: 'read', description: 'old' });
  const proposed = JSON.stringify({ annotations: { openWorldHint: false }, name: 'read' });
  const digest = createHash('sha256').update(proposed).digest('base64url');
  const { mcpTools } = storage;
  await mcpTools.propose(projectId, 'docs', 'new', proposed);
  await mcpTools.pin(projectId, 'docs', 'read', { definition: pinned, isClosedWorld: false });
  const decide = (tool: string, decision: 'approve' | 'deny', by = admin, proposed_digest = digest) =>
    decideMcpTool(deps, by, projectId, 'docs', { tool, decision, proposed_digest });
  const tools = async () => (await getMcpServer(deps, admin, projectId, 'docs')).tools;
  assert.deepEqual((await tools()).map(({ name, status }) => [name, status]).toSorted(), [
    ['new', 'withheld'],
    ['read', 'pinned'],
  ]);
  await assert.rejects(decide('read', 'approve'), code('invalid_state'), 'nothing waits');
  await mcpTools.propose(projectId, 'docs', 'read', proposed);
  const changed = (await tools()).find(({ name }) => name === 'read');
  assert.deepEqual(changed, {
    ...{ name: 'read', status: 'changed', pinned: JSON.parse(pinned), proposed: JSON.parse(proposed) },
    ...{ proposed_digest: digest, changed_at: new Date(clock.now()).toISOString() },
  });
  await assert.rejects(decide('read', 'approve', asViewer), code('insufficient_role'));
  await assert.rejects(decide('none', 'approve'), code('not_found', /tool/));
  await assert.rejects(decide('read', 'approve', admin, 'other'), code('invalid_state'));
  assert.equal(forgotten(), 0);
  await decide('read', 'approve');
  const after = await decide('new', 'deny');
  assert.deepEqual(
    after.tools.map(({ name, status, proposed_digest }) => [name, status, proposed_digest]).toSorted(),
    [
      ['new', 'denied', null],
      ['read', 'pinned', null],
    ],
  );
  await assert.rejects(decide('read', 'deny'), code('invalid_state'));
  assert.deepEqual((await log()).slice(1), [
    ['mcp.tool_approved', projectId, { server: 'docs', tool: 'read', digest }],
    ['mcp.tool_denied', projectId, { server: 'docs', tool: 'new', digest }],
  ]);
  assert.equal(forgotten(), 2);
});
