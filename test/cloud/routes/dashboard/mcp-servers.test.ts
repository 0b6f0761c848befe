import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { McpServerRecord } from '@csg/shared/contract';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { type McpTestServer, startMcpTestServer, textResult } from '../../../support/mcp-server.ts';

const descriptionOf = (definition: object | null | undefined) => (definition as Tool | null)?.description;
const tool = (name: string, description: string, more: Partial<Tool> = {}): Tool => ({
  ...{ name, description, inputSchema: { type: 'object' as const }, ...more },
});

describe('MCP servers of a project, at the dashboard', () => {
  let gateway: TestGateway;
  let admin: TestBrowser;
  let server: McpTestServer;
  let path: string;
  before(async () => {
    server = await startMcpTestServer(() => textResult('ok'), {
      ...{ tools: [tool('find', 'Finds contacts.')], isJson: true },
    });
    gateway = await startGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    admin = await signInAs(gateway, 'admin');
    path = `/projects/${gateway.account.projectId}/mcp-servers`;
  });
  after(async () => {
    await gateway.close();
    await server.close();
  });
  const message = (body: object, headers = {}) =>
    gateway.call('POST', '/api/v1/mcp/crm', { body: { jsonrpc: '2.0', id: 1, ...body }, headers });
  const open = async () => {
    const params = {
      ...{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const begun = await message({ method: 'initialize', params });
    assert.equal(begun.status, 200, await begun.text());
    return { 'mcp-session-id': begun.headers.get('mcp-session-id')! };
  };
  const listed = async (headers: object) => {
    const response = await message({ method: 'tools/list' }, headers);
    const { result } = (await response.json()) as { result: { tools: Tool[] } };
    return result.tools.map(({ description }) => description);
  };
  const read = async () => (await admin.call<McpServerRecord>('GET', `${path}/crm`)).body;

  test('an admin sets a server, whose headers are never returned', async () => {
    const body = { url: server.url, headers: { 'X-Token': 'secret-of-the-server' } };
    const set = await admin.call<McpServerRecord>('PUT', `${path}/crm`, body);
    assert.equal(set.status, 200, JSON.stringify(set.body));
    assert.deepEqual([set.body.source, set.body.header_names, set.body.tools], ['project', ['X-Token'], []]);
    const seen = await admin.call<McpServerRecord[]>('GET', path);
    assert.ok(!JSON.stringify([set.body, seen.body]).includes('secret-of-the-server'));
    await open();
    assert.equal(server.headers.at(-1)?.['x-token'], 'secret-of-the-server');
    const viewer = await signInAs(gateway, 'viewer');
    assert.equal((await viewer.call('PUT', `${path}/crm`, body)).status, 403);
    assert.ok(
      !JSON.stringify((await viewer.call('GET', path)).body).includes('/mcp"'),
      'only its host is shown',
    );
  });

  test('URLs and headers that may not be sent are rejected', async () => {
    const put = (name: string, body: object) => admin.call('PUT', `${path}/${name}`, body);
    for (const url of ['ftp://x.example/', 'not an address', '', 'https://user:pass@x.example/'])
      assert.equal((await put('bad', { url })).status, 422, url);
    for (const headers of [{ Host: 'x' }, { 'Mcp-Session-Id': 'x' }, { 'a b': 'x' }, { x: 'a\r\nb' }])
      assert.equal((await put('bad', { url: server.url, headers })).status, 422, JSON.stringify(headers));
    assert.equal((await put('a%20b', { url: server.url })).status, 422);
    assert.equal((await admin.call('GET', `${path}/bad`)).status, 404);
    const guarded = await startGateway();
    const other = await signInAs(guarded, 'admin');
    const inner = `/projects/${guarded.account.projectId}/mcp-servers/crm`;
    assert.equal((await other.call('PUT', inner, { url: 'http://127.0.0.1:8080/mcp' })).status, 422);
    await guarded.close();
  });

  test('a changed tool is shown with both texts, and clients get it once it is approved', async () => {
    const session = await open();
    assert.deepEqual(await listed(session), ['Finds contacts.']);
    server.tools = [tool('find', 'Finds contacts and leads.', { annotations: { openWorldHint: false } })];
    assert.deepEqual(await listed(session), ['Finds contacts.']);
    const [changed] = (await read()).tools;
    assert.deepEqual(
      [changed?.status, descriptionOf(changed?.pinned), descriptionOf(changed?.proposed)],
      ['changed', 'Finds contacts.', 'Finds contacts and leads.'],
    );
    const decide = (decision: string, digest: unknown) =>
      admin.call<McpServerRecord>('POST', `${path}/crm/decision`, {
        ...{ tool: 'find', decision, proposed_digest: digest },
      });
    assert.equal((await decide('approve', 'of another text')).status, 409);
    const denied = await decide('deny', changed?.proposed_digest);
    assert.deepEqual([denied.status, denied.body.tools[0]?.status], [200, 'pinned']);
    assert.deepEqual(await listed(session), ['Finds contacts.']);
    assert.equal((await read()).tools[0]?.status, 'pinned', 'denied: not asked again');
    server.tools = [tool('find', 'Finds contacts, leads.', { annotations: { openWorldHint: false } })];
    await listed(session);
    const digest = (await read()).tools[0]?.proposed_digest;
    assert.equal((await decide('approve', digest)).status, 200);
    assert.deepEqual(await listed(session), ['Finds contacts, leads.']);
    const { projectId } = gateway.account;
    assert.deepEqual(await gateway.storage.mcpTools.listClosedWorld(projectId), ['find']);
  });

  test('a server that is deleted is gone with its tools', async () => {
    assert.equal((await admin.call('DELETE', `${path}/crm`)).status, 204);
    assert.equal((await admin.call('DELETE', `${path}/crm`)).status, 404);
    assert.equal((await message({ method: 'ping' })).status, 404);
    const page = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 50 });
    const kinds = page.rows.map(({ kind }) => kind).filter((kind) => kind.startsWith('mcp.'));
    assert.deepEqual(kinds.slice(0, 4), [
      ...['mcp.server_removed', 'mcp.tool_approved', 'mcp.tool_changed', 'mcp.tool_denied'],
    ]);
  });
});
