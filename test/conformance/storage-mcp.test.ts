import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { assertEmpty, createTestEnv, onEveryEngine } from './storage-engines.ts';

onEveryEngine('MCP servers and their tools', (engine) => {
  let storage: Storage;
  before(async () => {
    storage = await engine.open();
  });
  const tool = (definition: string, isClosedWorld = false) => ({ definition, isClosedWorld });

  test('a server is found by its own organization only, and deleted with its tools', async () => {
    const [testEnv, other] = [await createTestEnv(storage), await createTestEnv(storage)];
    const { organizationId, projectId } = testEnv;
    const server = { name: 'crm', url: 'https://crm.example/mcp', headers: { authorization: 'Bearer x' } };
    await storage.mcpServers.put(projectId, { ...server, url: 'https://before.example/' });
    await storage.mcpServers.put(projectId, server);
    assert.deepEqual(await storage.mcpServers.find(organizationId, projectId, 'crm'), server);
    assert.equal(await storage.mcpServers.find(other.organizationId, projectId, 'crm'), null);
    assert.equal(await storage.mcpServers.find(organizationId, projectId, 'other'), null);
    await storage.mcpTools.pin(projectId, 'crm', 'find', tool('{}'));
    assert.deepEqual(await storage.mcpTools.list(other.organizationId, projectId), []);
    assert.equal(await storage.mcpServers.remove(other.organizationId, projectId, 'crm'), false);
    assert.equal((await storage.mcpTools.list(organizationId, projectId, 'crm')).length, 1);
    assert.equal(await storage.mcpServers.remove(organizationId, projectId, 'crm'), true);
    assert.deepEqual(await storage.mcpTools.list(organizationId, projectId), []);
  });

  test('a pinned text stays until the proposed one is approved; a decision applies to one text', async () => {
    const { organizationId, projectId } = await createTestEnv(storage);
    const read = async () => {
      const [found] = await storage.mcpTools.list(organizationId, projectId, 'crm');
      return found && [found.pinned, found.proposed, found.denied];
    };
    await storage.mcpTools.pin(projectId, 'crm', 'find', tool('a'));
    await storage.mcpTools.pin(projectId, 'crm', 'find', tool('of another instance'));
    await storage.mcpTools.propose(projectId, 'crm', 'find', 'b');
    assert.deepEqual(await read(), ['a', 'b', null]);
    const proposed = (text: string) => ({ server: 'crm', name: 'find', proposed: text });
    assert.equal(await storage.mcpTools.decide(projectId, proposed('c'), tool('c')), false);
    assert.equal(await storage.mcpTools.decide(projectId, proposed('b'), null), true);
    assert.deepEqual(await read(), ['a', null, 'b']);
    assert.deepEqual(await storage.mcpTools.listClosedWorld(projectId), []);
    await storage.mcpTools.propose(projectId, 'crm', 'find', 'c');
    assert.equal(await storage.mcpTools.decide(projectId, proposed('c'), tool('c', true)), true);
    assert.deepEqual(await read(), ['c', null, null]);
    assert.deepEqual(await storage.mcpTools.listClosedWorld(projectId), ['find']);
  });

  test('a first listing may be withheld', async () => {
    const { organizationId, projectId } = await createTestEnv(storage);
    await storage.mcpTools.propose(projectId, 'crm', 'bad', 'x');
    const [found] = await storage.mcpTools.list(organizationId, projectId, 'crm');
    assert.deepEqual([found?.pinned, found?.proposed], [null, 'x']);
  });

  test('missing ids return null or do nothing: servers', async () => {
    await assertEmpty({
      servers: storage.mcpServers.list('org_none', 'proj_none'),
      server: storage.mcpServers.find('org_none', 'proj_none', 'none'),
      removed: storage.mcpServers.remove('org_none', 'proj_none', 'none'),
    });
  });
});
