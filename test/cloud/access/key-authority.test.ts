import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DashboardKey } from '@csg/shared/contract';
import { makeKey } from '../../../apps/cloud/src/storage/key-format.ts';
import { addAccount, addMember, type TestAccount } from '../../support/accounts.ts';
import { type Answer, readAnswer } from '../../support/answers.ts';
import { onBothDatabases } from '../../support/both-databases.ts';
import { signInAs } from '../../support/browser.ts';
import { createManualClock } from '../../support/clock.ts';
import type { TestGateway } from '../../support/gateway.ts';

/** Every operation on a key other than authenticating with it. */
const OPERATIONS = [
  ['GET', '/reveal'],
  ['PUT', '/toggle'],
  ['POST', '/rotate'],
  ['DELETE', ''],
] as const;

onBothDatabases('permission to manage a key', (start) => {
  let gateway: TestGateway;
  let team: TestAccount;
  before(async () => {
    gateway = await start();
    team = await addAccount(gateway, { plan: 'enterprise' });
  });
  after(() => gateway.close());

  const operate = (key: string, method: string, path: string): Promise<Answer> =>
    readAnswer(gateway.call(method, `/api/v1/api-keys/${path}`, { key }));
  const keyOf = (userId: string | null) =>
    gateway.storage.keys.insert({
      organizationId: team.organizationId,
      projectId: team.projectId,
      userId,
      deviceId: null,
      name: 'managed',
      permissions: [],
      expiresAtMs: null,
      key: makeKey(),
    });

  test('lets members manage only the keys they created, and admins and the owner all keys', async () => {
    const [maker, mate] = [
      await addMember(gateway, team, 'member'),
      await addMember(gateway, team, 'member'),
    ];
    const admin = await addMember(gateway, team, 'admin');
    for (const [method, tail] of OPERATIONS) {
      for (const [actor, makerId, allowed] of [
        [mate, maker.userId, false],
        [mate, team.accountId, false],
        [mate, null, false],
        [maker, maker.userId, true],
        [admin, maker.userId, true],
        [admin, team.accountId, true],
        [admin, null, true],
        [{ key: team.key }, maker.userId, true],
      ] as const) {
        const target = await keyOf(makerId);
        const answer = await operate(actor.key, method, `${target.id}${tail}`);
        if (allowed) assert.ok(answer.status < 300, `${method} ${tail}: ${answer.text}`);
        else {
          assert.equal(answer.status, 403, `${method} ${tail}`);
          assert.equal(answer.error['code'], 'insufficient_role');
          assert.equal(answer.error['required_role'], 'admin');
          assert.match(String(answer.error['message']), /Another member created this key/);
          assert.deepEqual(await gateway.storage.keys.get(team.organizationId, target.id), target);
        }
      }
    }
  });

  test('lets a key without a creator act for the operator', async () => {
    const operator = (await gateway.addKey({ userId: null })).plain;
    const { record } = await gateway.addKey();
    assert.equal((await operate(operator, 'GET', `${record.id}/reveal`)).status, 200);
  });

  test('rejects a creator who was demoted to viewer, and returns 404 for an unknown key', async () => {
    const maker = await addMember(gateway, team, 'member');
    const target = await keyOf(maker.userId);
    assert.equal((await operate(maker.key, 'GET', 'key_none/reveal')).status, 404);
    await gateway.storage.members.setRole(team.organizationId, maker.userId, 'viewer');
    const refused = await operate(maker.key, 'GET', `${target.id}/reveal`);
    assert.equal(refused.error['required_role'], 'member');
  });

  test('lists all keys in the dashboard with their creators and whether the user may manage each', async () => {
    const member = await signInAs(gateway, 'member', team.organizationId);
    const admin = await signInAs(gateway, 'admin', team.organizationId);
    const [own, others] = [await keyOf(member.userId), await keyOf(admin.userId)];
    const orphan = await keyOf(null);
    const seen = async (browser: typeof member) => {
      const { body } = await browser.call<DashboardKey[]>('GET', '/keys');
      return new Map(body.map((key) => [key.id, key]));
    };
    const [byMember, byAdmin] = [await seen(member), await seen(admin)];
    assert.deepEqual([...byMember.keys()], [...byAdmin.keys()]);
    assert.equal(byMember.get(own.id)?.created_by, member.email);
    assert.equal(byMember.get(orphan.id)?.created_by, null);
    assert.deepEqual(
      [own, others, orphan].map(({ id }) => [byMember.get(id)?.can_manage, byAdmin.get(id)?.can_manage]),
      [
        [true, true],
        [false, true],
        [false, true],
      ],
    );
    assert.equal((await member.call('POST', `/keys/${own.id}/reveal`)).status, 200);
    const refused = await member.call('POST', `/keys/${others.id}/reveal`);
    assert.deepEqual([refused.status, refused.error['code']], [403, 'insufficient_role']);
    assert.equal((await admin.call('DELETE', `/keys/${own.id}`)).status, 204);
    const viewer = await signInAs(gateway, 'viewer', team.organizationId);
    assert.ok([...(await seen(viewer)).values()].every(({ can_manage }) => !can_manage));
  });
});

onBothDatabases('a key that expires', (start) => {
  const clock = createManualClock();
  const HOUR = 3_600_000;
  let gateway: TestGateway;
  before(async () => {
    gateway = await start({ clock });
  });
  after(() => gateway.close());

  const ask = (method: string, path: string, key: string, body?: object): Promise<Answer> =>
    readAnswer(gateway.call(method, `/api/v1/api-keys${path}`, { key, ...(body ? { body } : {}) }));
  const stored = async (id: unknown) =>
    (await gateway.storage.keys.get(gateway.account.organizationId, String(id)))?.expiresAtMs;
  const works = async (key: unknown) =>
    (await gateway.call('GET', '/api/v1/usage/stats', { key: String(key) })).status;

  test('creates only keys that expire no later than itself', async () => {
    const endsMs = clock.now() + HOUR;
    const parent = (await gateway.addKey({ expiresAtMs: endsMs })).plain;
    const make = async (expiresAtMs?: number) => {
      const expires_at = expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString();
      return (await ask('POST', '', parent, { name: 'child', expires_at })).body;
    };
    const child = await make();
    assert.equal(await stored(child['id']), endsMs);
    assert.equal(await stored((await make(endsMs + HOUR))['id']), endsMs);
    assert.equal(await stored((await make(endsMs - 1))['id']), endsMs - 1);
    const grandchild = (await ask('POST', '', String(child['key']), { name: 'grandchild' })).body;
    assert.equal(await stored(grandchild['id']), endsMs);
    assert.equal(await works(grandchild['key']), 200);
    clock.advance(HOUR);
    for (const key of [parent, child['key'], grandchild['key']]) assert.equal(await works(key), 401);
  });

  test('rotates itself and other keys into keys that expire no later than it does', async () => {
    const endsMs = clock.now() + HOUR;
    const parent = await gateway.addKey({ expiresAtMs: endsMs });
    const lasting = await gateway.addKey();
    const itself = (await ask('POST', `/${parent.record.id}/rotate`, parent.plain, { grace_minutes: 1 }))
      .body;
    assert.equal(await stored(itself['id']), endsMs);
    const other = await ask('POST', `/${lasting.record.id}/rotate`, String(itself['key']));
    assert.equal(await stored(other.body['id']), endsMs);
    const byLasting = await ask('POST', `/${itself['id']}/rotate`, gateway.key);
    assert.equal(await stored(byLasting.body['id']), endsMs, 'a rotation by another key keeps the expiry');
    const { body } = await ask('POST', '', gateway.key, { name: 'lasting' });
    assert.equal(await stored(body['id']), null, 'a key without an expiry creates keys without one');
  });

  test('reveals no key that outlives it', async () => {
    const endsMs = clock.now() + HOUR;
    const parent = await gateway.addKey({ expiresAtMs: endsMs });
    const reveal = (id: string) => ask('GET', `/${id}/reveal`, parent.plain);
    for (const expiresAtMs of [null, endsMs + 1]) {
      const refused = await reveal((await gateway.addKey({ expiresAtMs })).record.id);
      assert.deepEqual([refused.status, refused.error['code']], [403, 'insufficient_scope']);
    }
    assert.equal((await reveal((await gateway.addKey({ expiresAtMs: endsMs })).record.id)).status, 200);
    assert.equal((await reveal(parent.record.id)).status, 200);
  });

  test('cannot be rotated once it has expired, as the new key would have expired too', async () => {
    const { record } = await gateway.addKey({ expiresAtMs: clock.now() });
    const refused = await ask('POST', `/${record.id}/rotate`, gateway.key);
    assert.deepEqual([refused.status, refused.error['code']], [409, 'invalid_state']);
    const person = await signInAs(gateway, 'owner');
    assert.equal((await person.call('POST', `/keys/${record.id}/rotate`, {})).error['code'], 'invalid_state');
  });

  test('creates nothing once another instance has deleted, disabled or expired it', async () => {
    const { organizationId } = gateway.account;
    for (const [change, code] of [
      [(id: string) => gateway.storage.keys.remove(organizationId, id), 'invalid_api_key'],
      [(id: string) => gateway.storage.keys.setActive(organizationId, id, false), 'disabled_api_key'],
      [(id: string) => gateway.storage.keys.setExpiry(organizationId, id, clock.now()), 'expired_api_key'],
    ] as const) {
      const { record, plain } = await gateway.addKey();
      assert.equal(await works(plain), 200, 'the key is cached from here on, for less than a second');
      await change(record.id);
      const before = (await gateway.storage.keys.list(organizationId)).length;
      const refused = await ask('POST', '', plain, { name: 'late' });
      assert.deepEqual([refused.status, refused.error['code']], [401, code]);
      assert.equal((await gateway.storage.keys.list(organizationId)).length, before);
    }
  });
});
