import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  roleOfBlock,
  roleOfEvent,
  roleOfItem,
  roleOfMember,
  roleOfMessage,
} from '../../../../shared/providers/reading/roles.ts';
import type { Rule } from '../../../../shared/providers/reading/rules.ts';
import { GUARD_RULES as rules } from '../../../../shared/providers/registry.ts';
import { SLOT_ROLES, type SlotRole } from '../../../../shared/text/index.ts';

it('a message gets the role it names, or the user’s if the name is unknown', () => {
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

it('tools of the future are recognized by the providers’ naming scheme', () => {
  assert.equal(roleOfItem(rules, 'quantum_call', 'tool_result'), 'tool_call');
  assert.equal(roleOfItem(rules, 'quantum_call_output', 'assistant'), 'tool_result');
  assert.equal(roleOfItem(rules, 'quantum_tool_result', 'assistant'), 'tool_result');
  assert.equal(roleOfItem(rules, 'server_quantum_use', 'assistant'), 'tool_call');
});

it('no type raises the trust of a user’s text or of data, or keeps the developer’s for an unknown one', () => {
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

it('a member gets the role of its rule, never with more trust than its position', () => {
  const rule = (role: Rule['role'], isOwn: boolean) => ({ role, isOwn }) as Rule;
  const cases: readonly (readonly [rule: Rule | undefined, around: SlotRole, role: SlotRole])[] = [
    [undefined, 'user', 'user'],
    [undefined, 'system', 'other'],
    [rule('document', false), 'system', 'other'],
    [rule(undefined, true), 'system', 'system'],
    [rule('document', true), 'system', 'document'],
    [rule(undefined, false), 'assistant', 'assistant'],
    [rule('tool_call', false), 'assistant', 'tool_call'],
    [rule('tool_call', true), 'user', 'user'],
    [rule('tool_result', true), 'user', 'tool_result'],
    [rule('tool_result', false), 'tool_call', 'tool_result'],
    [rule('tool_result', false), 'user', 'user'],
    [rule('document', false), 'user', 'document'],
    [rule('assistant', true), 'user', 'assistant'],
    [rule('assistant', false), 'user', 'user'],
  ];
  for (const [one, around, role] of cases)
    assert.equal(roleOfMember(one, around), role, `${JSON.stringify(one)} in ${around}`);
});

it('the type of an event determines the role of its text', () => {
  for (const [type, role] of [
    ['response.output_text.delta', 'assistant'],
    ['response.output_content.delta', 'tool_result'],
    ['response.shell_call_output_content.delta', 'tool_result'],
    ['response.function_call_arguments.delta', 'tool_call'],
    ['response.code_interpreter_code.delta', 'tool_call'],
    ['', 'assistant'],
  ] as const)
    assert.equal(roleOfEvent(type), role, type);
});
