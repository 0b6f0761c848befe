import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PLANS } from '@csg/shared/contract';
import { createScanner } from '../../../apps/cloud/src/detection-workers/scanner.ts';
import { createAuthenticator } from '../../../apps/cloud/src/flows/authenticate-key.ts';
import type { Clock } from '../../../apps/cloud/src/flows/clock.ts';
import { addDeviceOf, addMember } from '../../support/accounts.ts';
import { readAnswer } from '../../support/answers.ts';
import { signInAs } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('the cache of keys', () => {
  // The wall clock and the monotonic clock move independently.
  let wallMs = Date.UTC(2026, 10, 20, 12);
  let upMs = 0;
  const clock: Clock = { now: () => wallMs, elapsed: () => upMs };
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ clock });
  });
  after(() => gateway.close());

  const ask = async (key: string) => {
    const answer = await readAnswer(gateway.call('GET', '/api/v1/projects', { key }));
    return answer.status === 200 ? 'served' : answer.error['code'];
  };
  const disable = (id: string) => gateway.storage.keys.setActive(gateway.account.organizationId, id, false);

  test('keeps a key for less than a second, also when the wall clock is set back', async () => {
    const { plain, record } = await gateway.addKey();
    assert.equal(await ask(plain), 'served');
    await disable(record.id);
    wallMs -= 3_600_000;
    upMs += 999;
    assert.equal(await ask(plain), 'disabled_api_key');
  });

  test('reads a key again immediately after a change through this instance', async () => {
    const { plain } = await gateway.addKey();
    const other = await gateway.addKey();
    assert.equal(await ask(plain), 'served');
    assert.equal(await ask(other.plain), 'served');
    await gateway.call('DELETE', `/api/v1/api-keys/${other.record.id}`);
    assert.equal(await ask(other.plain), 'invalid_api_key');
    assert.equal(await ask(plain), 'served');
  });

  test('applies every change of an admin to the next request of a key that was just used', async () => {
    const { storage, account } = gateway;
    const { organizationId } = account;
    const admin = await signInAs(gateway, 'admin');
    const project = await storage.projects.insert(organizationId, { name: 'Changing' });
    const place = { organizationId, projectId: project.id };
    const { plain: key, record } = await gateway.addKey({ projectId: project.id });
    const { plain: otherKey, record: other } = await gateway.addKey({ projectId: project.id });
    const left = await addMember(gateway, place, 'member');
    const [device, secondDevice] = [await addDeviceOf(gateway, place), await addDeviceOf(gateway, place)];
    const [newest, older] = (await storage.devices.list(organizationId)).map(({ id }) => id);
    const use = async (used: string) => {
      const messages = [{ role: 'user', content: 'My card is 4111 1111 1111 1111.' }];
      const answer = await readAnswer(
        gateway.call('POST', '/api/v1/guard', { key: used, body: { messages } }),
      );
      return answer.status === 200 ? answer.body['decision'] : answer.error['code'];
    };
    const devices = [device, secondDevice];
    const made = { policy: '' };
    const draft = { name: 'No cards', action: 'block', threat_types: ['pii_leak'], project_id: project.id };
    const changes: readonly (readonly [
      used: string | readonly string[],
      before: string,
      route: string,
      body: object | undefined,
      after: string,
    ])[] = [
      [key, 'redact', 'POST /policies', draft, 'block'],
      [key, 'block', 'PATCH /policies/:policy', { is_active: false }, 'redact'],
      [key, 'redact', 'POST /policies/:policy/restore', { version: 1 }, 'block'],
      [key, 'block', 'DELETE /policies/:policy', undefined, 'redact'],
      [key, 'redact', `PUT /keys/${record.id}/toggle`, undefined, 'disabled_api_key'],
      [key, 'disabled_api_key', `PUT /keys/${record.id}/toggle`, undefined, 'redact'],
      [key, 'redact', 'PATCH /organization', { allowed_ips: ['203.0.113.0/24'] }, 'ip_not_allowed'],
      [key, 'ip_not_allowed', 'PATCH /organization', { allowed_ips: [] }, 'redact'],
      [otherKey, 'redact', `DELETE /keys/${other.id}`, undefined, 'unauthorized'],
      [left.key, 'redact', `DELETE /members/${left.userId}`, undefined, 'unauthorized'],
      [devices, 'redact', `POST /devices/${newest}/revoke`, undefined, 'one'],
      [devices, 'one', 'POST /devices/revoke', { device_ids: [older] }, 'unauthorized'],
      [key, 'redact', `DELETE /projects/${project.id}`, undefined, 'unauthorized'],
    ];
    const state = async (used: string | readonly string[]) => {
      const all = new Set(await Promise.all([used].flat().map(use)));
      return all.size === 1 ? [...all][0] : 'one';
    };
    for (const [used, before, route, body, due] of changes) {
      assert.equal(await state(used), before, `before ${route}`);
      const [method = '', address = ''] = route.replace(':policy', made.policy).split(' ');
      const answer = await admin.call<{ id?: string }>(method, address, body);
      assert.ok(answer.status < 300, `${route}: ${JSON.stringify(answer.body)}`);
      if (route === 'POST /policies') made.policy = answer.body.id ?? '';
      assert.equal(await state(used), due, `after ${route}`);
    }
  });

  test('never uses the old state of a key after the response to its toggle', async () => {
    const { plain, record } = await gateway.addKey();
    const path = `/api/v1/api-keys/${record.id}/toggle`;
    for (let n = 0; n < 20; n++) {
      const before = Array.from({ length: 5 }, () => ask(plain));
      const { body } = await readAnswer(gateway.call('PUT', path));
      const due = body['is_active'] === true ? 'served' : 'disabled_api_key';
      assert.equal(await ask(plain), due, `toggle ${n + 1}`);
      await Promise.all(before);
    }
  });

  test('applies an expiry while the key is cached', async () => {
    const { plain } = await gateway.addKey({ expiresAtMs: wallMs + 10 });
    assert.equal(await ask(plain), 'served');
    wallMs += 10;
    assert.equal(await ask(plain), 'expired_api_key');
  });

  test('does not know malformed keys, whatever their bytes', async () => {
    for (const key of [
      'x',
      'svc_live_',
      `svc_live_${'a'.repeat(5_000)}`,
      "svc_live_' OR 1=1 --",
      'sk-other',
    ]) {
      assert.equal(await ask(key), 'invalid_api_key', key.slice(0, 40));
    }
    assert.equal(await ask(''), 'missing_api_key');
  });

  test('records the last use of a key', async () => {
    const { plain, record } = await gateway.addKey();
    await ask(plain);
    await gateway.storage.flush();
    const key = await gateway.storage.keys.get(gateway.account.organizationId, record.id);
    assert.equal(key?.lastUsedAtMs, wallMs);
  });
});

test('a key that was read while it changed is not cached', async (t) => {
  const gateway = await startGateway();
  t.after(() => gateway.close());
  const { storage } = gateway;
  const { plain, record } = await gateway.addKey();
  const isRead = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let reads = 0;
  const authenticator = createAuthenticator({
    storage: {
      ...storage,
      keys: {
        ...storage.keys,
        async findForAuth(key) {
          const found = await storage.keys.findForAuth(key);
          if (++reads > 1) return found;
          isRead.resolve();
          await goOn.promise;
          return found;
        },
      },
    },
    scanner: createScanner({ workers: 0, deadlineMs: 5_000 }),
    plans: PLANS,
    clock: { now: () => 0, elapsed: () => 0 },
  });
  const before = authenticator.authenticate(plain);
  await isRead.promise;
  await storage.keys.setActive(gateway.account.organizationId, record.id, false);
  authenticator.forget();
  goOn.resolve();
  assert.equal((await before).keyId, record.id, 'it was still active when it was read');
  await assert.rejects(async () => authenticator.authenticate(plain), { code: 'disabled_api_key' });
});
