import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryFacts, kindLabel } from '../../../../apps/cloud/dashboard/src/pages/audit/entry-words.ts';

const names = new Map([
  ['usr_1', 'Ada Winter'],
  ['proj_1', 'project Support bot'],
]);
const facts = (data: Readonly<Record<string, unknown>>) => entryFacts(data, (id) => names.get(id) ?? id);

test('a change says what each setting was and is, with the names of the pages', () => {
  const settings = { on_unscanned: 'block' };
  const before = { fail_mode: 'open', strictness_level: 'moderate', zero_retention: false, settings: {} };
  assert.deepEqual(
    facts({ fail_mode: 'closed', strictness_level: 'strict', zero_retention: true, settings, before }),
    [
      'If scanning fails: Allow → Block',
      'Strictness: Moderate → Strict',
      'Zero retention: no → yes',
      'Unscanned content: by default → Block',
    ],
  );
  assert.deepEqual(facts({ retention_days: 30, before: { retention_days: null } }), [
    'Days until events are deleted: none → 30',
  ]);
  assert.deepEqual(facts({ version: 2, before: { version: 1 } }), ['No recorded setting changed']);
  assert.deepEqual(
    facts({ threat_types: ['jailbreak', 'pii_leak'], before: { threat_types: ['jailbreak'] } }),
    ['Threat types: Jailbreak → Jailbreak, Personal data'],
  );
});

test('a role or an owner says who it was, and other facts stand beside it', () => {
  assert.deepEqual(facts({ role: 'admin', was: 'viewer' }), ['Role: viewer → admin']);
  assert.deepEqual(facts({ project_id: 'proj_1', role: null, was: 'member' }), [
    'Project: Support bot',
    'Role: member → none',
  ]);
  assert.deepEqual(facts({ user_id: 'usr_1', was: null }), ['User: none → Ada Winter']);
});

test('no value is shown as JSON, and empty ones are omitted', () => {
  assert.deepEqual(
    facts({
      header_names: [],
      server: 'notes',
      policy_id: null,
      version: 2,
      patterns: 0,
      more: { blockedTools: ['x'] },
    }),
    ['Server: notes', 'More: blocked tools x'],
  );
  assert.match(facts({ expires_at_ms: Date.UTC(2026, 0, 2) })[0]!, /^Expires: .*2026/);
});

test('kinds are sentences', () => {
  assert.equal(kindLabel('mcp.server_set'), 'MCP server set');
  assert.equal(kindLabel('sso_changed'), 'Single sign-on changed');
});
