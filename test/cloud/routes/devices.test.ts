import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { DEVICE_CONFIG_FORMAT, type DeviceConfig } from '@csg/shared/contract';
import { signedText } from '@csg/shared/text';
import { decideRequest } from '../../../apps/cloud/src/flows/approvals/decide-request.ts';
import {
  changeFleetSettings,
  listDevices,
  revokeDevice,
} from '../../../apps/cloud/src/flows/devices/manage-devices.ts';
import { type Answer, type Json, readAnswer } from '../../support/answers.ts';
import { createManualClock } from '../../support/clock.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const MINUTE = 60_000;

interface Enrolled {
  readonly key: string;
  readonly id: string;
  readonly signingKey: string;
}

describe('an enrolled device', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let device: Enrolled;
  before(async () => {
    gateway = await startGateway({ clock });
    device = await enroll();
  });
  after(() => gateway.close());

  const admin = () => ({ organizationId: gateway.account.organizationId, id: 'operator', userId: null });

  async function enroll(label: string | null = null): Promise<Enrolled> {
    const { organizationId, projectId } = gateway.account;
    const { token } = await gateway.storage.enrollments.create(organizationId, { projectId, label });
    const { body } = await readAnswer(
      gateway.call('POST', '/api/v1/enroll', {
        key: null,
        body: { token, device_name: 'Laptop', platform: 'linux' },
      }),
    );
    return {
      key: body['api_key'] as string,
      id: body['device_id'] as string,
      signingKey: body['signing_key'] as string,
    };
  }

  const beat = (change: object = {}, key = device.key): Promise<Answer> =>
    readAnswer(
      gateway.call('POST', '/api/v1/devices/heartbeat', {
        key,
        body: { agent_version: '1.2.3', proxy_restarts: 0, supervisor_state: 'quiet', ...change },
      }),
    );
  const getConfig = (key = device.key, headers: Record<string, string> = {}): Promise<Answer> =>
    readAnswer(gateway.call('GET', '/api/v1/devices/config', { key, headers }));
  const config = async (key?: string) => (await getConfig(key)).body as unknown as DeviceConfig;
  const sendEvents = (events: unknown[], key = device.key): Promise<Answer> =>
    readAnswer(gateway.call('POST', '/api/v1/devices/events', { key, body: { events } }));
  const auditKinds = async (subject: string) =>
    (await gateway.storage.audit.page(gateway.account.organizationId, { limit: 200 })).rows
      .filter((row) => row.subject === subject)
      .map((row) => row.kind);
  const stateOf = async (id: string) =>
    (await listDevices({ storage: gateway.storage, clock }, gateway.account.organizationId)).find(
      (one) => one.id === id,
    )?.state;

  test('gets the time, the policy version and whether it is another one in response to a heartbeat', async () => {
    const first = await beat();
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(Object.keys(first.body).sort(), [
      'config_changed',
      'policy_version',
      'revoked',
      'server_time',
    ]);
    assert.equal(first.body['server_time'], new Date(clock.now()).toISOString());
    assert.deepEqual([first.body['config_changed'], first.body['revoked']], [true, false]);
    const second = await beat({
      policy_version: first.body['policy_version'],
      uptime_s: 12.5,
      queue_length: 0,
    });
    assert.equal(second.body['config_changed'], false);
    assert.equal((await config()).policy_version, first.body['policy_version']);
  });

  test('has the state that it last reported, until it falls silent', async () => {
    const one = await enroll();
    assert.equal(await stateOf(one.id), 'never_seen');
    await beat({ proxy_restarts: 3, supervisor_state: 'retrying' }, one.key);
    assert.equal(await stateOf(one.id), 'retrying');
    clock.advance(3 * MINUTE);
    assert.equal(await stateOf(one.id), 'retrying');
    clock.advance(1);
    assert.equal(await stateOf(one.id), 'silent');
    await beat({ supervisor_state: 'gave_up' }, one.key);
    await beat({ supervisor_state: 'gave_up' }, one.key);
    assert.equal(await stateOf(one.id), 'gave_up');
    await beat({}, one.key);
    assert.equal(await stateOf(one.id), 'quiet');
    await beat({ system_proxy: 'off' }, one.key);
    assert.equal(await stateOf(one.id), 'programs_only', 'its apps do not use the proxy');
    assert.deepEqual(await auditKinds(one.id), ['device_recovered', 'device_gave_up', 'device_enrolled']);
  });

  test('gets a 422 with the field for an invalid heartbeat', async () => {
    for (const [change, place] of [
      [{ supervisor_state: 'fine' }, 'supervisor_state'],
      [{ proxy_restarts: -1 }, 'proxy_restarts'],
      [{ agent_version: 'x'.repeat(65) }, 'agent_version'],
      [{ queue_length: 1.5 }, 'queue_length'],
    ] as const) {
      const answer = await beat(change);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual((answer.body['detail'] as { loc: string[] }[])[0]?.loc, ['body', place]);
    }
    assert.equal((await beat({ platform: null, unknown: 1 })).status, 200);
  });

  test('gets a configuration signed with the pinned key, and any change to it shows', async () => {
    const bundle = await config();
    const { signature, ...signed } = bundle;
    const key = createPublicKey({
      key: Buffer.from(device.signingKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    const isGenuine = (value: object) =>
      verify(
        null,
        Buffer.from(signedText(DEVICE_CONFIG_FORMAT, value)),
        key,
        Buffer.from(signature, 'base64'),
      );
    assert.equal(isGenuine(signed), true);
    for (const [name, value] of Object.entries(signed)) {
      const tampered = Array.isArray(value)
        ? [...value, 'x']
        : typeof value === 'boolean'
          ? !value
          : `${value}x`;
      assert.equal(isGenuine({ ...signed, [name]: tampered }), false, name);
      const { [name as keyof typeof signed]: _dropped, ...rest } = signed;
      assert.equal(isGenuine(rest), false, `without ${name}`);
    }
    assert.equal(isGenuine({ ...signed, more: 1 }), false);
    assert.equal(bundle.device_id, device.id);
    assert.ok(bundle.hosts.includes('api.openai.com') && bundle.hosts.includes('claude.ai'));
    assert.deepEqual(bundle.ruleset, {
      useCase: 'default',
      strictness: 'moderate',
      policies: [],
      untrustedData: 'withhold',
    });
    const other = await config((await enroll()).key);
    assert.notEqual(other.signature, signature);
    assert.deepEqual(other.hosts, bundle.hosts);
  });

  test('gets a 304 for an unchanged configuration, with the policy version as ETag', async () => {
    const first = await getConfig();
    const tag = first.headers.get('etag') ?? '';
    assert.equal(tag, `W/"${first.body['policy_version']}"`);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    clock.advance(MINUTE);
    for (const sent of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
      const again = await getConfig(device.key, { 'if-none-match': sent });
      assert.deepEqual([again.status, again.text], [304, ''], sent);
      assert.equal(again.headers.get('etag'), tag);
    }
    assert.equal((await getConfig(device.key, { 'if-none-match': '"pv_other"' })).status, 200);
    assert.notEqual((await config()).issued_at, first.body['issued_at'], 'issued again, later');
  });

  test('gets a new policy version with every change, and the first one once all are undone', async () => {
    const { organizationId, projectId } = gateway.account;
    const { storage } = gateway;
    const one = await enroll();
    const seen = new Map<string, string>();
    const step = async (name: string): Promise<DeviceConfig> => {
      const bundle = await config(one.key);
      assert.equal(seen.get(bundle.policy_version), undefined, `${name} changed nothing`);
      seen.set(bundle.policy_version, name);
      return bundle;
    };
    const change = (settings: object) => changeFleetSettings({ storage, clock }, admin(), settings);
    const start = await step('start');
    await storage.projects.update(organizationId, projectId, { failMode: 'closed' });
    assert.equal((await step('fail mode')).fail_closed, true);
    await storage.projects.update(organizationId, projectId, { strictnessLevel: 'strict' });
    assert.equal((await step('strictness')).ruleset.strictness, 'strict');
    const [policy] = await storage.policies.insertMany(organizationId, projectId, [
      { name: 'No secrets', action: 'block', threatTypes: ['secret_leak'], priority: 5 },
    ]);
    const ruleset = (await step('policy')).ruleset;
    assert.deepEqual(ruleset.policies, [{ id: policy!.id, action: 'block', threatTypes: ['secret_leak'] }]);
    await storage.policies.update(organizationId, policy!.id, { action: 'redact' });
    await step('action');
    await change({ mode: 'monitor' });
    assert.equal((await step('mode')).mode, 'monitor');
    await change({ bypassHosts: ['claude.ai'] });
    assert.deepEqual((await step('bypass')).bypass_hosts, ['claude.ai']);
    await change({ extraHosts: ['llm.example.com'] });
    assert.ok((await step('hosts')).hosts.includes('llm.example.com'));
    await change({ blockedTools: ['grok.com', 'Poe'] });
    assert.deepEqual((await step('tools')).blocked_tools, ['grok.com', 'Poe']);

    const requested = await readAnswer(
      gateway.call('POST', '/api/v1/tool-requests', { key: one.key, body: { requested_host: 'Grok.com' } }),
    );
    await decideRequest({ storage }, admin(), { id: requested.body['id'] as string }, { approve: true });
    assert.deepEqual((await step('approved tool')).blocked_tools, ['Poe']);
    assert.deepEqual((await config()).blocked_tools, ['grok.com', 'Poe'], 'only for the device that asked');

    const input = { destination_host: 'chatgpt.com', policy_id: policy!.id, requested_minutes: 10 };
    const exception = await readAnswer(
      gateway.call('POST', '/api/v1/exceptions', { key: one.key, body: input }),
    );
    await decideRequest({ storage }, admin(), { id: exception.body['id'] as string }, { approve: true });
    const { exceptions } = await step('exception');
    assert.deepEqual(exceptions, [
      {
        id: exception.body['id'],
        destination_host: 'chatgpt.com',
        threat_types: ['secret_leak'],
        expires_at: new Date(clock.now() + 10 * MINUTE).toISOString(),
      },
    ]);
    clock.advance(10 * MINUTE);
    assert.deepEqual((await config(one.key)).exceptions, [], 'it expired');

    await storage.policies.remove(organizationId, policy!.id);
    await storage.projects.update(organizationId, projectId, {
      failMode: 'open',
      strictnessLevel: 'moderate',
    });
    await change({ mode: 'enforce', bypassHosts: [], extraHosts: [], blockedTools: [] });
    assert.equal((await config(one.key)).policy_version, start.policy_version);
  });

  test('sends events that are stored and audited once, however often they are sent', async () => {
    const { organizationId } = gateway.account;
    const event = {
      event_id: 'evt_offline_1',
      at: new Date(clock.now() - MINUTE).toISOString(),
      decision: 'block',
      threat_type: 'secret_leak',
      confidence: 0.9,
      destination_host: 'chatgpt.com',
      reason: 'offline',
      decided_by: 'device',
      judged_by: 'device',
      done: 'blocked',
      findings: [
        { rule: 'secret.x', type: 'secret_leak', path: '/messages/0', start: 3, end: 9, confidence: 0.9 },
      ],
      latency_ms: 1.5,
    };
    const used = async () =>
      (await readAnswer(gateway.call('GET', '/api/v1/usage/stats'))).body['requests_used'];
    const usedBefore = await used();
    const answers = await Promise.all([sendEvents([event, event]), sendEvents([event]), sendEvents([event])]);
    for (const answer of answers) {
      assert.deepEqual(answer.body, { accepted: ['evt_offline_1'], rejected: [] }, answer.text);
    }
    const stored = await gateway.storage.events.get(organizationId, 'evt_offline_1');
    assert.deepEqual(
      [
        stored?.deviceId,
        stored?.decision,
        stored?.threatType,
        stored?.atMs,
        stored?.route,
        stored?.latencyUs,
      ],
      [device.id, 'block', 'secret_leak', clock.now() - MINUTE, 'device', 1500],
    );
    assert.equal(stored?.findings[0]?.rule, 'secret.x');
    assert.equal(stored?.evaluatedBy, 'device');
    assert.deepEqual(await auditKinds('evt_offline_1'), ['policy_block']);
    assert.equal(await used(), usedBefore, 'nothing was scanned here');
    assert.equal((await gateway.storage.audit.verify(organizationId)).valid, true);
  });

  test('has an invalid event reported, and the others accepted', async () => {
    const good = (id: string) => ({ event_id: id, decision: 'allow' });
    const answer = await sendEvents([
      good('evt_good_1'),
      'nonsense',
      { event_id: 'evt_bad_1', decision: 'perhaps' },
      { event_id: 'no spaces please', decision: 'allow' },
      { ...good('evt_bad_2'), at: 'yesterday' },
      { ...good('evt_bad_3'), destination_host: 'https://x.example/?q=secret text' },
      null,
      good('evt_good_2'),
    ]);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual((answer.body['accepted'] as string[]).sort(), ['evt_good_1', 'evt_good_2']);
    const rejected = answer.body['rejected'] as { index: number; event_id: string | null; message: string }[];
    assert.deepEqual(
      rejected.map(({ index, event_id }) => [index, event_id]),
      [
        [1, null],
        [2, 'evt_bad_1'],
        [3, 'no spaces please'],
        [4, 'evt_bad_2'],
        [5, 'evt_bad_3'],
        [6, null],
      ],
    );
    for (const { message } of rejected) assert.match(message, /\.$/);
    assert.ok(!answer.text.includes('secret text'));
  });

  test('cannot use the id of another device’s event', async () => {
    const other = await enroll();
    await sendEvents([{ event_id: 'evt_taken', decision: 'block' }], other.key);
    const answer = await sendEvents([{ event_id: 'evt_taken', decision: 'allow' }]);
    assert.deepEqual(answer.body['accepted'], []);
    assert.match((answer.body['rejected'] as { message: string }[])[0]!.message, /another event/);
  });

  test('cannot set the time of an event with a wrong clock, whose time is recorded', async () => {
    const ahead = new Date(clock.now() + 60 * MINUTE).toISOString();
    await sendEvents([{ event_id: 'evt_ahead', decision: 'allow', at: ahead }]);
    const { organizationId } = gateway.account;
    assert.equal((await gateway.storage.events.get(organizationId, 'evt_ahead'))?.atMs, clock.now());
    const { rows } = await gateway.storage.audit.page(organizationId, { limit: 5 });
    assert.equal(rows.find((row) => row.subject === 'evt_ahead')?.data['device_clock_ms'], Date.parse(ahead));
  });

  test('is rejected if it sends too many events, or too large ones', async () => {
    const many = Array.from({ length: 501 }, (_, i) => ({ event_id: `evt_many_${i}`, decision: 'allow' }));
    assert.equal((await sendEvents(many)).status, 422);
    const full = await sendEvents(many.slice(1));
    assert.equal((full.body['accepted'] as string[]).length, 500);
    const large = await sendEvents([
      { event_id: 'evt_large', decision: 'allow', note: 'x'.repeat(1_048_576) },
    ]);
    assert.deepEqual([large.status, large.error['code']], [413, 'payload_too_large']);
  });

  test('receives the rules of a managed installation', async () => {
    const managed = async (key: string): Promise<Json> =>
      (await readAnswer(gateway.call('GET', '/api/v1/devices/managed-policy', { key }))).body;
    assert.deepEqual(await managed(device.key), {
      fleet: null,
      force_update_mode: 'off',
      pinned_channel: null,
      min_version_override: null,
    });
    assert.equal((await managed((await enroll('Sales')).key))['fleet'], 'Sales');
    await changeFleetSettings({ storage: gateway.storage, clock }, admin(), {
      fleet: 'HQ',
      forceUpdateMode: 'force',
      pinnedChannel: 'beta',
      minVersionOverride: '1.4.0',
    });
    assert.deepEqual(await managed(device.key), {
      fleet: 'HQ',
      force_update_mode: 'force',
      pinned_channel: 'beta',
      min_version_override: '1.4.0',
    });
  });

  test('is rejected from the next request on once it is revoked, which the audit log records', async () => {
    const one = await enroll();
    assert.equal((await beat({}, one.key)).status, 200);
    await revokeDevice({ storage: gateway.storage, clock }, admin(), one.id);
    // Another instance would serve it for less than a second more; here the clock has passed that.
    clock.advance(1_000);
    for (const answer of [await beat({}, one.key), await getConfig(one.key), await sendEvents([], one.key)]) {
      assert.deepEqual([answer.status, answer.error['code']], [401, 'invalid_api_key']);
    }
    assert.equal(await stateOf(one.id), 'revoked');
    assert.deepEqual(await auditKinds(one.id), ['device_revoked', 'device_enrolled']);
    await assert.rejects(revokeDevice({ storage: gateway.storage, clock }, admin(), one.id), {
      code: 'invalid_state',
    });
    await assert.rejects(revokeDevice({ storage: gateway.storage, clock }, admin(), 'dev_none'), {
      code: 'not_found',
    });
  });

  test('is the only one to send heartbeats: another key gets a 403 with the scope', async () => {
    const answer = await beat({}, gateway.key);
    assert.deepEqual(
      [answer.status, answer.error['code'], answer.error['required_scope']],
      [403, 'insufficient_scope', 'device'],
    );
  });
});
