import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, type Finding, scan } from '../../../../shared/detection/index.ts';
import { formatByName } from '../../../../shared/providers/index.ts';

const ruleset = compileRuleset({ useCase: 'support_bot', strictness: 'strict', policies: [] });

const typesOf = (findings: readonly Finding[], isReported: boolean) =>
  findings.filter(({ reportOnly = false }) => reportOnly === isReported).map(({ pii }) => pii);

/** Types found in the headers that a developer sets for an MCP server. */
function typesIn(headers: Record<string, string>) {
  const dialect = formatByName('openai-responses')!;
  const tool = { type: 'mcp', server_label: 'crm', server_url: 'https://crm.example', headers };
  const { slots } = dialect.readRequest({ model: 'm', input: 'Hi', tools: [tool] });
  const credentials = slots.filter(({ role }) => role === 'credential');
  assert.ok(credentials.length > 0);
  const findings = scan(credentials, ruleset, 'input');
  return { masked: typesOf(findings, false), reported: typesOf(findings, true) };
}

test('credentials of a tool are never masked, because its calls would fail', () => {
  const nothing = { masked: [], reported: [] };
  const basic = `Basic ${btoa('jane@example.com:4111111111111111')}`;
  assert.deepEqual(typesIn({ Authorization: 'Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a' }), nothing);
  assert.deepEqual(typesIn({ Authorization: basic }), nothing);
});

test('contact data in a tool’s headers is reported, an SSN or a card is masked', () => {
  assert.deepEqual(typesIn({ 'X-User': 'jane@example.com', 'X-From': '8.8.4.4' }), {
    masked: [],
    reported: ['email', 'ip_address'],
  });
  assert.deepEqual(typesIn({ 'X-Customer': '536-90-4399', 'X-Card': '4111 1111 1111 1111' }), {
    masked: ['ssn', 'credit_card'],
    reported: [],
  });
});
