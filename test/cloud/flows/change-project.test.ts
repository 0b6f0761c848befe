import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ChangeProject, PolicyDetail, ProjectRecord } from '@csg/shared/contract';
import { signInAs, type TestBrowser } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('a change of a project', () => {
  let gateway: TestGateway;
  let owner: TestBrowser;
  let path: string;
  before(async () => {
    gateway = await startGateway();
    owner = await signInAs(gateway, 'owner');
    path = `/projects/${gateway.account.projectId}`;
  });
  after(() => gateway.close());

  const shown = async () => {
    const { body } = await owner.call<ProjectRecord[]>('GET', '/projects');
    return body.find(({ id }) => id === gateway.account.projectId)!;
  };
  const presetRows = async () => {
    const { body } = await owner.call<{ policies: PolicyDetail[] }>('GET', '/policies');
    return body.policies.filter(({ from_preset }) => from_preset);
  };

  test('changes each field on its own', async () => {
    const changes: readonly ChangeProject[] = [
      { name: 'Renamed' },
      { description: 'What it is for' },
      { fail_mode: 'closed' },
      { use_case: 'rag_system' },
      { strictness_level: 'permissive' },
      { zero_retention: true },
      { description: '' },
    ];
    for (const change of changes) {
      const due = { ...(await shown()), ...change };
      assert.equal((await owner.call('PATCH', path, change)).status, 200);
      const { name, description, fail_mode, use_case, strictness_level, zero_retention } = await shown();
      assert.deepEqual(
        { name, description, fail_mode, use_case, strictness_level, zero_retention },
        {
          ...{ name: due.name, description: due.description || null, fail_mode: due.fail_mode },
          ...{ use_case: due.use_case, strictness_level: due.strictness_level },
          ...{ zero_retention: due.zero_retention },
        },
        JSON.stringify(change),
      );
    }
  });

  test('replaces the preset rows only if the preset changes', async () => {
    await owner.call('PATCH', path, { use_case: 'default', strictness_level: 'moderate' });
    const moderate = await presetRows();
    assert.ok(moderate.length > 0);
    await owner.call('PATCH', path, { name: 'Again', strictness_level: 'moderate' });
    assert.deepEqual(await presetRows(), moderate);
    const wordsOf = (rows: readonly PolicyDetail[]) =>
      rows.map(({ action, description }) => `${action}: ${description}`);
    for (const change of [{ strictness_level: 'strict' }, { use_case: 'code_assistant' }]) {
      const rows = await presetRows();
      await owner.call('PATCH', path, change);
      const others = await presetRows();
      assert.notDeepEqual(wordsOf(others), wordsOf(rows), JSON.stringify(change));
      assert.ok(others.every(({ id }) => rows.every((row) => row.id !== id)));
    }
  });

  test('takes a key of the whole organization, not one of the project itself', async () => {
    const api = `/api/v1${path}`;
    const own = await gateway.call('PATCH', api, { key: gateway.key, body: { name: 'By its own key' } });
    const { error } = (await own.json()) as { error: Record<string, unknown> };
    assert.deepEqual(
      [own.status, error['code'], error['required_scope']],
      [403, 'insufficient_scope', 'projects'],
    );
    assert.match(String(error['message']), /cannot change that project/);
    const { plain: key } = await gateway.addKey({ projectId: null });
    assert.equal((await gateway.call('PATCH', api, { key, body: { name: 'By a key' } })).status, 200);
    assert.equal((await shown()).name, 'By a key');
  });
});
