import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceConfig } from '@csg/shared/contract';
import { policyOfConfig } from '../../../../apps/desktop/src/agent/protection/policy-of-config.ts';
import { compilePolicy } from '../../../../apps/desktop/src/inspect/compile-policy.ts';

const CONFIG: DeviceConfig = {
  device_id: 'dev_1',
  mode: 'monitor',
  fail_closed: true,
  hosts: ['api.openai.com'],
  bypass_hosts: ['claude.ai'],
  blocked_tools: ['grok.com'],
  policy_version: 'pv_1',
  ruleset: { useCase: 'default', strictness: 'moderate', policies: [] },
  exceptions: [
    {
      id: 'exc_1',
      destination_host: 'chatgpt.com',
      threat_types: ['pii_leak', 'secret_leak'],
      expires_at: '2026-01-02T00:00:00.000Z',
    },
  ],
  issued_at: '2026-01-01T00:00:00.000Z',
  signing_key_id: 'k',
  signature: '',
};

test('adds hosts of this computer, and the result compiles', () => {
  const policy = policyOfConfig(CONFIG, {
    server: 'https://g.example/',
    extraHosts: ['localhost', 'api.openai.com'],
  });
  const compiled = compilePolicy(policy);
  assert.deepEqual(policy.hosts, ['api.openai.com', 'localhost']);
  assert.ok(
    compiled.isAiHost('localhost') && compiled.isBypassed('claude.ai') && compiled.isBlockedTool('grok.com'),
  );
  assert.deepEqual([policy.mode, policy.failClosed, policy.policyVersion], ['monitor', true, 'pv_1']);
  assert.equal(policy.requestUrl, 'https://g.example/dashboard/requests/new');
  assert.equal(policy.streaming, 'buffered', 'while nothing else is configured');
  const live = policyOfConfig({ ...CONFIG, streaming: 'live' }, { server: '', extraHosts: [] });
  assert.equal(live.streaming, 'live');
  const whole = policyOfConfig({ ...CONFIG, streaming: 'buffered' }, { server: '', extraHosts: [] });
  assert.deepEqual([policy.holdsPages, live.holdsPages, whole.holdsPages], [false, false, true]);
  assert.deepEqual([policy.masking, policy.secretTools, policy.masksWorkingData], ['one_way', {}, false]);
  const strict = { ...CONFIG, ruleset: { ...CONFIG.ruleset, strictness: 'strict' as const } };
  for (const config of [strict, { ...CONFIG, masking: 'one_way' as const }])
    assert.equal(policyOfConfig(config, { server: '', extraHosts: [] }).masksWorkingData, true);
  const secret_tools = { deploy: ['api_key' as const] };
  const masked = policyOfConfig(
    { ...CONFIG, masking: 'round_trip', secret_tools },
    { server: '', extraHosts: [] },
  );
  assert.deepEqual([masked.masking, masked.secretTools], ['round_trip', secret_tools]);
});

test('an exception keeps its id, host, threats and expiry', () => {
  const policy = policyOfConfig(CONFIG, { server: 'https://g.example', extraHosts: [] });
  const untilMs = Date.parse('2026-01-02T00:00:00.000Z');
  const threats = ['pii_leak', 'secret_leak'];
  assert.deepEqual(policy.exceptions, [{ id: 'exc_1', host: 'chatgpt.com', threats, untilMs }]);
});
