import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addKeyOf, addMember } from '../../support/accounts.ts';
import { type Json, readAnswer } from '../../support/answers.ts';
import { signInAs } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('project settings', () => {
  let gateway: TestGateway;
  /** The owner's key, which belongs to no project. */
  let key: string;
  before(async () => {
    gateway = await startGateway();
    key = (await gateway.addKey({ projectId: null })).plain;
  });
  after(() => gateway.close());

  const create = async (body: object = {}): Promise<Json> => {
    const made = await readAnswer(
      gateway.call('POST', '/api/v1/projects', { key, body: { name: 'P', ...body } }),
    );
    assert.equal(made.status, 200, made.text);
    return made.body;
  };
  const patch = (id: unknown, body: unknown, headers = {}, sentKey = key) =>
    readAnswer(gateway.call('PATCH', `/api/v1/projects/${id}`, { key: sentKey, body, headers }));
  const listed = async (id: unknown): Promise<Json> => {
    const all = (await (await gateway.call('GET', '/api/v1/projects', { key })).json()) as Json[];
    return all.find((project) => project['id'] === id)!;
  };
  const shown = ({ on_unscanned, explicit_settings }: Json) => [on_unscanned, explicit_settings];

  test('"a setting that is unset or null follows strictness_level and fail_mode at each request"', async () => {
    const { id, ...made } = await create();
    assert.deepEqual(shown(made), ['allow', []]);
    assert.deepEqual(shown((await patch(id, { strictness_level: 'strict' })).body), ['block', []]);
    assert.deepEqual(shown((await patch(id, { strictness_level: 'moderate', fail_mode: 'closed' })).body), [
      'block',
      [],
    ]);
    assert.deepEqual(shown(await listed(id)), ['block', []]);
    assert.deepEqual(shown((await patch(id, { on_unscanned: 'allow' })).body), ['allow', ['on_unscanned']]);
    assert.deepEqual(shown((await patch(id, { name: 'Other', fail_mode: 'open' })).body), [
      'allow',
      ['on_unscanned'],
    ]);
    const reset = await patch(id, { on_unscanned: null, fail_mode: 'closed', name: null });
    assert.equal(reset.body['name'], 'Other', 'null and absent are equal for a field that is no setting');
    assert.deepEqual(shown(reset.body), ['block', []], '"PATCH null resets it"');
    assert.deepEqual(shown(await listed(id)), ['block', []]);
    assert.deepEqual(shown(await create({ on_unscanned: 'block' })), ['block', ['on_unscanned']]);
    assert.deepEqual(shown(await create({ on_unscanned: null })), ['allow', []]);
  });

  test('a wrong value is one item of a 422 that names the field and all values', async () => {
    const { id } = await create();
    for (const value of ['maybe', 7, ['allow'], {}, true]) {
      const refused = await patch(id, { on_unscanned: value });
      assert.equal(refused.status, 422, refused.text);
      const [item, ...more] = refused.body['detail'] as Json[];
      assert.deepEqual([item?.['loc'], more], [['body', 'on_unscanned'], []]);
      assert.match(String(item?.['msg']), /'allow', 'block'/);
    }
    assert.deepEqual(shown(await listed(id)), ['allow', []]);
  });

  test('"a key acts as its maker, who has to be an admin": members, viewers, devices and restricted keys are rejected', async () => {
    const { id } = await create();
    const place = { organizationId: gateway.account.organizationId, projectId: gateway.account.projectId };
    for (const role of ['viewer', 'member'] as const) {
      const refused = await patch(
        id,
        { on_unscanned: 'allow' },
        {},
        (await addMember(gateway, place, role)).key,
      );
      assert.deepEqual([refused.status, refused.error['code']], [403, 'insufficient_role']);
    }
    const admin = await patch(
      id,
      { on_unscanned: 'block' },
      {},
      (await addMember(gateway, place, 'admin')).key,
    );
    assert.equal(admin.status, 200, admin.text);
    const device = await patch(id, {}, {}, await gateway.addDevice());
    assert.deepEqual([device.status, device.error['code']], [403, 'insufficient_scope']);
    const restricted = (await gateway.addKey({ projectId: null, permissions: ['keys'] })).plain;
    assert.equal((await patch(id, {}, {}, restricted)).error['code'], 'insufficient_scope');
    assert.equal((await patch('proj_none', { on_unscanned: 'block' })).status, 404);
  });

  test('"a key that belongs to a project never changes that project\'s settings: 403 `insufficient_scope`"', async () => {
    const refused = await patch(gateway.account.projectId, { on_unscanned: 'allow' }, {}, gateway.key);
    assert.deepEqual(
      [refused.status, refused.error['code'], refused.error['type'], refused.error['required_scope']],
      [403, 'insufficient_scope', 'permission_error', 'projects'],
    );
    assert.match(String(refused.error['message']), /A key of a project cannot change that project/);
    assert.deepEqual(shown(await listed(gateway.account.projectId)), ['allow', []]);
    const { id } = await create();
    assert.equal((await patch(id, { on_unscanned: 'allow' }, {}, gateway.key)).status, 200);
    const { organizationId } = gateway.account;
    const operators = await addKeyOf(gateway, { organizationId, projectId: String(id) }, null);
    assert.equal((await patch(id, { name: 'x' }, {}, operators)).error['code'], 'insufficient_scope');
  });

  test('"every change is an audit row"', async () => {
    const { id } = await create({ on_unscanned: 'allow' });
    await patch(id, { on_unscanned: null });
    const admin = await signInAs(gateway, 'admin');
    const { status } = await admin.call('PATCH', `/projects/${id}`, { on_unscanned: 'block' });
    assert.equal(status, 200);
    assert.deepEqual(shown(await listed(id)), ['block', ['on_unscanned']]);
    const reset = await admin.call<Json>('PATCH', `/projects/${id}`, { on_unscanned: null });
    assert.deepEqual(shown(reset.body), ['allow', []]);
    const { organizationId } = gateway.account;
    const page = await gateway.storage.audit.page(organizationId, { subject: String(id) });
    const rows = page.rows.map(({ kind, data }) => [kind, data['settings']]);
    assert.deepEqual(rows.reverse(), [
      ['project_created', { on_unscanned: 'allow' }],
      ['project_changed', {}],
      ['project_changed', { on_unscanned: 'block' }],
      ['project_changed', {}],
    ]);
  });

  test('an Idempotency-Key replays a change, and concurrent changes lose nothing', async () => {
    const { id } = await create();
    const headers = { 'idempotency-key': 'one-change' };
    await patch(id, { on_unscanned: 'block' }, headers);
    await patch(id, { on_unscanned: null });
    const again = await patch(id, { on_unscanned: 'block' }, headers);
    assert.equal(again.headers.get('x-idempotency-replayed'), 'true');
    assert.deepEqual(shown(await listed(id)), ['allow', []]);
    const done = await Promise.all([
      patch(id, { on_unscanned: 'block' }),
      ...['a', 'b', 'c', 'd'].map((name) => patch(id, { name })),
    ]);
    assert.deepEqual(
      done.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    assert.deepEqual(shown(await listed(id)), ['block', ['on_unscanned']]);
  });
});
