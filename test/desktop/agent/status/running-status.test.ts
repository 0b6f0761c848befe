import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceConfig } from '@csg/shared/contract';
import type { ProtectionStatus } from '../../../../apps/desktop/src/agent/protection/protection.ts';
import type { SessionStatus } from '../../../../apps/desktop/src/agent/service/service-session.ts';
import { readSettings } from '../../../../apps/desktop/src/agent/settings/read-settings.ts';
import { stateFiles } from '../../../../apps/desktop/src/agent/settings/state-files.ts';
import {
  heartbeatOf,
  inspectionScopeOf,
  runningStatus,
} from '../../../../apps/desktop/src/agent/status/running-status.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const home = tempFolder('status');
const parts = { files: stateFiles(home), settings: readSettings({ AGENT_HOME: home }) };
const idle = { eventsWaiting: 3, eventsDropped: 1, unread: [], problem: null, uptimeMs: 1_600 };
const protection: ProtectionStatus = {
  state: 'quiet',
  port: 8099,
  restarts: 2,
  systemProxy: 'on',
  needsTrust: false,
  uncovered: [],
  problem: null,
};
const config = {
  mode: 'enforce',
  fail_closed: true,
  hosts: ['api.openai.com'],
  bypass_hosts: ['bank.example'],
  blocked_tools: [],
  policy_version: 'pv_1',
  issued_at: '2026-01-01T00:00:00.000Z',
} as unknown as DeviceConfig;
const session: SessionStatus = {
  config,
  isRevoked: false,
  isReachable: true,
  isChannelOpen: true,
  reportedAtMs: Date.UTC(2026, 0, 2),
  managed: null,
  problem: null,
};

test('before its parts have started, the agent is retrying and reports what is on disk', () => {
  const status = runningStatus(parts, { ...idle, protection: null, session: null });
  assert.deepEqual(
    [status.running, status.supervisor_state, status.proxy_port, status.policy_version, status.pid],
    [true, 'retrying', null, null, process.pid],
  );
  assert.deepEqual([status.events_waiting, status.events_dropped, status.uptime_s], [3, 1, 2]);
});

test('the status contains the fields of every part', () => {
  const status = runningStatus(parts, { ...idle, protection, session, problem: 'One sentence.' });
  assert.deepEqual(
    [status.supervisor_state, status.proxy_port, status.proxy_restarts, status.system_proxy],
    ['quiet', 8099, 2, 'on'],
  );
  assert.deepEqual(
    [status.mode, status.policy_version, status.service_reachable, status.channel_open, status.problem],
    ['enforce', 'pv_1', true, true, 'One sentence.'],
  );
  assert.equal(status.last_reported_at, '2026-01-02T00:00:00.000Z');
});

test('a heartbeat is quiet only while the proxy works and apps are directed to it', () => {
  const at = (change: Partial<ProtectionStatus>) =>
    heartbeatOf(
      runningStatus(parts, { ...idle, protection: { ...protection, ...change }, session }),
      'linux',
    );
  assert.equal(at({}).supervisor_state, 'quiet');
  const { supervisor_state, system_proxy } = at({ systemProxy: 'off' });
  assert.deepEqual(
    [supervisor_state, system_proxy],
    ['quiet', 'off'],
    'the proxy works; apps are not directed to it',
  );
  assert.equal(at({ systemProxy: 'not_set' }).supervisor_state, 'retrying');
  assert.equal(at({ state: 'gave_up' }).supervisor_state, 'gave_up');
  const unread = runningStatus(parts, { ...idle, protection, session, unread: ['chatgpt.com is not read.'] });
  assert.equal(heartbeatOf(unread, 'linux').supervisor_state, 'retrying', 'a host is not inspected');
  const waiting = at({ uncovered: ['bank.example'] });
  assert.deepEqual([waiting.supervisor_state, waiting.needs_administrator], ['quiet', ['bank.example']]);
  const many = at({ uncovered: Array.from({ length: 50 }, (_, i) => `h${i}.example`) });
  assert.equal(many.needs_administrator?.length, 20, 'no more than the service accepts');
  const { policy_version, queue_length, proxy_restarts } = at({});
  assert.deepEqual([policy_version, queue_length, proxy_restarts], ['pv_1', 3, 2]);
});

test('the inspection scope has the hosts of the configuration and of this computer, each once', () => {
  assert.equal(inspectionScopeOf(null, []), null);
  assert.deepEqual(inspectionScopeOf(session, ['api.openai.com', 'llm.example'])?.hosts, [
    'api.openai.com',
    'llm.example',
  ]);
});
