import assert from 'node:assert/strict';
import { it } from 'node:test';
import { roleOfBlock, roleOfItem, roleOfMessage } from '../../../../shared/providers/reading/roles.ts';
import { GUARD_RULES as rules } from '../../../../shared/providers/registry.ts';
import { SLOT_ROLES } from '../../../../shared/text/index.ts';

it('a message speaks for whom its role names, and for a person if the name is unknown', () => {
  const roles = [
    'system',
    'developer',
    'user',
    'assistant',
    'tool',
    'function',
    'SYSTEM',
    'system ',
    'root',
    '',
  ];
  assert.deepEqual(
    roles.map((role) => roleOfMessage(rules, role, true)),
    ['system', 'system', 'user', 'assistant', 'tool_result', 'tool_result', 'user', 'user', 'user', 'user'],
  );
});

it('tools that are not yet invented are known by how the providers name them', () => {
  assert.equal(roleOfItem(rules, 'quantum_call', 'tool_result'), 'tool_call');
  assert.equal(roleOfItem(rules, 'quantum_call_output', 'assistant'), 'tool_result');
  assert.equal(roleOfItem(rules, 'quantum_tool_result', 'assistant'), 'tool_result');
  assert.equal(roleOfItem(rules, 'server_quantum_use', 'assistant'), 'tool_call');
});

it('no type raises the trust of a person’s block, of data, or keeps the developer’s for the unknown', () => {
  const types = [
    'text',
    'reasoning',
    'mcp_list_tools',
    'x_call',
    'x_output',
    'item_reference',
    'document',
    'message',
    'who knows',
  ];
  for (const type of types) {
    for (const around of ['user', 'tool_result', 'document'] as const) {
      const role = roleOfBlock(rules, type, around);
      assert.ok(
        role === around || role === 'tool_result' || role === 'document',
        `${type} made ${around} ${role}`,
      );
    }
  }
  assert.equal(roleOfBlock(rules, 'who knows', 'system'), 'document');
  assert.equal(roleOfBlock(rules, 'text', 'system'), 'system');
  assert.equal(roleOfBlock(rules, '', 'system'), 'system');
  for (const role of SLOT_ROLES) assert.equal(roleOfBlock(rules, 'text', role), role);
});
