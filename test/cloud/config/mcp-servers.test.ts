import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMcpServers } from '../../../apps/cloud/src/config/mcp-servers.ts';

const NOTES = { name: 'notes', url: 'https://notes.example/mcp' };

test('reads servers as they are written; headers are optional', () => {
  const headers = { Authorization: 'Bearer x' };
  assert.deepEqual(readMcpServers([NOTES, { ...NOTES, name: 'mail', headers }]), [
    { ...NOTES, headers: {} },
    { ...NOTES, name: 'mail', headers },
  ]);
});

test('rejects an invalid list with one sentence that says where it is invalid', () => {
  const rejected: [unknown, RegExp][] = [
    ['notes', /^MCP_SERVERS_FILE: the list must be array\.$/],
    [[{ name: 'notes' }], /^MCP_SERVERS_FILE: \/0 must have required property 'url'\.$/],
    [[NOTES, NOTES], /^MCP_SERVERS_FILE has two servers with the name notes\.$/],
    [[{ ...NOTES, url: 'https://a b' }], /^MCP_SERVERS_FILE: the url of notes is not a valid URL\.$/],
  ];
  for (const [value, message] of rejected) assert.throws(() => readMcpServers(value), { message });
});
