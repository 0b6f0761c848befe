import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, scan } from '../../../../shared/detection/index.ts';
import { dialectByName } from '../../../../shared/dialects/index.ts';

const ruleset = compileRuleset({ useCase: 'support_bot', strictness: 'strict', policies: [] });

/** Types found in the headers that a developer gives an MCP server. */
function typesIn(headers: Record<string, string>): (string | undefined)[] {
  const dialect = dialectByName('openai-responses')!;
  const tool = { type: 'mcp', server_label: 'crm', server_url: 'https://crm.example', headers };
  const { slots } = dialect.readRequest({ model: 'm', input: 'Hi', tools: [tool] });
  const credentials = slots.filter(({ role }) => role === 'credential');
  assert.ok(credentials.length > 0);
  return scan(credentials, ruleset, 'input').map(({ pii }) => pii);
}

test('what a tool signs in with is never masked: the call would fail', () => {
  const basic = `Basic ${btoa('jane@example.com:4111111111111111')}`;
  assert.deepEqual(typesIn({ Authorization: 'Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a' }), []);
  assert.deepEqual(typesIn({ Authorization: basic, 'X-User': 'jane@example.com', 'X-From': '8.8.4.4' }), []);
});

test('an SSN or a card in a tool’s headers is found', () => {
  assert.deepEqual(typesIn({ 'X-Customer': '536-90-4399', 'X-Card': '4111 1111 1111 1111' }), [
    'ssn',
    'credit_card',
  ]);
});
