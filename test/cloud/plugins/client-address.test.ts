import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditPageResponse } from '@csg/shared/contract';
import { signInAs } from '../../support/browser.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const FROM = '203.0.113.7';

describe('the address of the client that acts', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway({ env: { TRUST_PROXY: 'on' } });
  });
  after(() => gateway.close());

  const rows = async (role: 'admin' | 'viewer', query: string) => {
    const browser = await signInAs(gateway, role);
    return await browser.call<AuditPageResponse>('GET', `/audit-log${query}`);
  };

  test('is with the entry of an act and finds it, but is not exported', async () => {
    const headers = { 'x-forwarded-for': FROM };
    await gateway.call('POST', '/api/v1/api-keys', { body: { name: 'From elsewhere' }, headers });
    await gateway.call('POST', '/api/v1/api-keys', { body: { name: 'From here' } });
    const { body: all } = await rows('admin', '?only=changes');
    const made = all.rows.filter(({ kind }) => kind === 'key_created');
    assert.deepEqual(
      made.map(({ address }) => address),
      ['127.0.0.1', FROM],
    );
    assert.equal(all.rows.find(({ kind }) => kind === 'signed_in')?.address, '127.0.0.1');
    const { body: found } = await rows('admin', `?address=${FROM}`);
    assert.deepEqual(
      found.rows.map(({ seq }) => seq),
      [made[1]?.seq],
    );
    for await (const line of gateway.storage.audit.exportLines(gateway.account.organizationId))
      assert.ok(!line.includes(FROM));
    assert.equal((await gateway.storage.audit.verify(gateway.account.organizationId)).valid, true);
  });

  test('is for admins and auditors', async () => {
    const { body } = await rows('viewer', '?only=changes');
    assert.ok(body.rows.length > 0);
    assert.ok(body.rows.every(({ address }) => address === null));
    assert.equal((await rows('viewer', `?address=${FROM}`)).status, 403);
  });
});
