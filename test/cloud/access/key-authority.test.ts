import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DashboardKey } from '@csg/shared/contract';
import { makeKey } from '../../../apps/cloud/src/storage/key-format.ts';
import { addAccount, addMember, type TestAccount } from '../../support/accounts.ts';
import { type Answer, readAnswer } from '../../support/answers.ts';
import { onBothDatabases } from '../../support/both-databases.ts';
import { signInAs } from '../../support/browser.ts';
import { createHandClock } from '../../support/clock.ts';
import type { TestGateway } from '../../support/gateway.ts';

/** Every way to use a key other than by sending it. */
const OPERATIONS = [
  ['GET', '/reveal'],
  ['PUT', '/toggle'],
  ['POST', '/rotate'],
  ['DELETE', ''],
] as const;

onBothDatabases('who manages a key', (start) => {
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

  test('a member manages the keys they made and no others; admins and the owner manage all', async () => {
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
          assert.match(String(answer.error['message']), /Another member made this key/);
          assert.deepEqual(await gateway.storage.keys.get(team.organizationId, target.id), target);
        }
      }
    }
  });

  test('a key without a maker acts for the operator', async () => {
    const operator = (await gateway.addKey({ userId: null })).plain;
    const { record } = await gateway.addKey();
    assert.equal((await operate(operator, 'GET', `${record.id}/reveal`)).status, 200);
  });

  test('a demoted maker manages nothing, an unknown key is not found, for any caller', async () => {
    const maker = await addMember(gateway, team, 'member');
    const target = await keyOf(maker.userId);
    assert.equal((await operate(maker.key, 'GET', 'key_none/reveal')).status, 404);
    await gateway.storage.members.setRole(team.organizationId, maker.userId, 'viewer');
    const refused = await operate(maker.key, 'GET', `${target.id}/reveal`);
    assert.equal(refused.error['required_role'], 'member');
  });

  test('the dashboard lists all keys with their makers, and says which of them one may manage', async () => {
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
  const clock = createHandClock();
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

  test('makes keys that expire no later than itself', async () => {
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

  test('rotates itself and others into keys that expire no later', async () => {
    const endsMs = clock.now() + HOUR;
    const parent = await gateway.addKey({ expiresAtMs: endsMs });
    const lasting = await gateway.addKey();
    const itself = (await ask('POST', `/${parent.record.id}/rotate`, parent.plain, { grace_minutes: 1 }))
      .body;
    assert.equal(await stored(itself['id']), endsMs);
    const other = await ask('POST', `/${lasting.record.id}/rotate`, String(itself['key']));
    assert.equal(await stored(other.body['id']), endsMs);
    const byLasting = await ask('POST', `/${itself['id']}/rotate`, gateway.key);
    assert.equal(await stored(byLasting.body['id']), endsMs, 'for any caller that rotates it');
    const { body } = await ask('POST', '', gateway.key, { name: 'lasting' });
    assert.equal(await stored(body['id']), null, 'one that does not expire gives no end');
  });

  test('reveals none that outlives it', async () => {
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

  test('is not rotated once it has expired: the new one would have, too', async () => {
    const { record } = await gateway.addKey({ expiresAtMs: clock.now() });
    const refused = await ask('POST', `/${record.id}/rotate`, gateway.key);
    assert.deepEqual([refused.status, refused.error['code']], [409, 'invalid_state']);
    const person = await signInAs(gateway, 'owner');
    assert.equal((await person.call('POST', `/keys/${record.id}/rotate`, {})).error['code'], 'invalid_state');
  });

  test('was changed by another instance a moment ago: nothing is made by what it was before', async () => {
    const { organizationId } = gateway.account;
    for (const [change, code] of [
      [(id: string) => gateway.storage.keys.remove(organizationId, id), 'invalid_api_key'],
      [(id: string) => gateway.storage.keys.setActive(organizationId, id, false), 'disabled_api_key'],
      [(id: string) => gateway.storage.keys.setExpiry(organizationId, id, clock.now()), 'expired_api_key'],
    ] as const) {
      const { record, plain } = await gateway.addKey();
      assert.equal(await works(plain), 200, 'it is known here now, for less than a second');
      await change(record.id);
      const before = (await gateway.storage.keys.list(organizationId)).length;
      const refused = await ask('POST', '', plain, { name: 'late' });
      assert.deepEqual([refused.status, refused.error['code']], [401, code]);
      assert.equal((await gateway.storage.keys.list(organizationId)).length, before);
    }
  });
});
