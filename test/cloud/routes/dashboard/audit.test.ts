import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditPageResponse, AuditVerificationRecord, ChainReport } from '@csg/shared/contract';
import Database from 'better-sqlite3';
import { verifyAudit } from '../../../../scripts/verify-audit.ts';
import { addAccount } from '../../../support/accounts.ts';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { type Receiver, startReceiver } from '../../../support/receiver/receiver.ts';

describe('the audit log', () => {
  let gateway: TestGateway;
  let receiver: Receiver;
  let admin: TestBrowser;
  before(async () => {
    receiver = await startReceiver();
    gateway = await startGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    admin = await signInAs(gateway, 'admin');
    for (let n = 0; n < 5; n++) {
      await gateway.call('POST', '/api/v1/security/scan', { body: { content: 'hello there' } });
      await gateway.call('POST', '/api/v1/api-keys', { body: { name: `Key ${n}` } });
    }
  });
  after(async () => {
    await gateway.close();
    await receiver.close();
  });

  const read = async (query = '', browser = admin) =>
    (await browser.call<AuditPageResponse>('GET', `/audit-log${query}`)).body;

  test('is read newest first, in pages without gaps, by kind, actor, subject and time', async () => {
    const all = await read('?limit=200');
    assert.equal(all.next, null);
    assert.deepEqual(
      all.rows.map(({ seq }) => seq),
      Array.from({ length: all.rows.length }, (_, n) => all.rows.length - n),
    );
    const seen: number[] = [];
    let before = '';
    for (let page = 0; page < 20; page++) {
      const { rows, next } = await read(`?limit=4${before}`);
      seen.push(...rows.map(({ seq }) => seq));
      if (next === null) break;
      before = `&before=${next}`;
    }
    assert.deepEqual(
      seen,
      all.rows.map(({ seq }) => seq),
    );
    const kinds = async (query: string) => [...new Set((await read(query)).rows.map(({ kind }) => kind))];
    assert.deepEqual(await kinds('?only=decisions'), ['policy_allow']);
    assert.deepEqual(await kinds('?kind=key_created'), ['key_created']);
    assert.ok(!(await kinds('?only=changes')).includes('policy_allow'));
    const made = (await read('?kind=key_created')).rows;
    assert.equal(made.length, 5);
    assert.equal((await read(`?subject=${made[0]?.subject}`)).rows.length, 1);
    assert.ok((await read(`?actor=${made[0]?.actor}`)).rows.length >= 5);
    assert.deepEqual((await read(`?to=${encodeURIComponent('2020-01-01T00:00:00Z')}`)).rows, []);
    assert.equal(
      (await read(`?limit=200&from=${encodeURIComponent('2020-01-01T00:00:00Z')}`)).rows.length,
      all.rows.length,
    );
    for (const query of ['?limit=0', '?limit=201', '?before=x', '?from=yesterday', '?only=some']) {
      assert.equal((await admin.call('GET', `/audit-log${query}`)).status, 422, query);
    }
  });

  test('is verified with a report of what is anchored and what is not', async () => {
    const verify = async () => (await admin.call<ChainReport>('POST', '/audit-log/verify-chain')).body;
    const before = await verify();
    assert.deepEqual([before.valid, before.anchored_until, before.checkpoints], [true, 0, []]);
    assert.equal(before.unanchored_tail, before.checked);
    await gateway.storage.audit.checkpoint(gateway.account.organizationId);
    const anchored = await verify();
    assert.deepEqual([anchored.unanchored_tail, anchored.anchored_until], [0, anchored.checked]);
    assert.deepEqual(
      anchored.checkpoints.map(({ number, valid, found_in }) => [number, valid, found_in]),
      [[1, true, ['database', 'file']]],
    );
    assert.equal('first_invalid' in anchored, false);
    const { body: runs } = await admin.call<AuditVerificationRecord[]>('GET', '/audit-log/verifications');
    assert.deepEqual(
      runs.map(({ state, rows_read, rows_total, started_by }) => [state, rows_read, rows_total, started_by]),
      [anchored, before].map(({ checked }) => ['valid', checked, checked, runs[0]?.started_by]),
    );
    assert.match(String(runs[0]?.started_by), /^usr_/);
  });

  test('is exported and verified offline by a separate program', async () => {
    const answer = await fetch(`${gateway.address}/dashboard/audit-log/export`, {
      headers: { cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    assert.equal(answer.status, 200);
    assert.match(
      String(answer.headers.get('content-disposition')),
      /^attachment; filename="audit-org_.*\.jsonl"$/,
    );
    const lines = (await answer.text()).trimEnd().split('\n');
    const report = await verifyAudit(lines, { publicKeyPem: gateway.storage.audit.publicKeyPem });
    assert.deepEqual([report.valid, report.fault], [true, null]);
    assert.equal(report.rows, lines.length - 2);
    assert.equal((await read('?limit=1')).rows[0]?.kind, 'audit_exported');
  });

  test('sends checkpoints to a URL of the organization, where they prove the log', async () => {
    const saved = await admin.call('PUT', '/audit-log/target', { url: receiver.url });
    assert.deepEqual([saved.status, saved.body['url']], [200, receiver.url]);
    assert.equal((await admin.call('GET', '/audit-log/target')).body['url'], receiver.url);
    await gateway.storage.audit.checkpoint(gateway.account.organizationId);
    await receiver.until(1);
    const { body, headers } = receiver.received[0]!;
    assert.equal(body.event, 'audit.checkpoint');
    assert.equal(headers['x-service-event'], 'audit.checkpoint');
    assert.equal(body['organization_id'], gateway.account.organizationId);
    const lines: string[] = [];
    for await (const line of gateway.storage.audit.exportLines(gateway.account.organizationId))
      lines.push(line.trim());
    const bare = lines.filter((line) => JSON.parse(line).type !== 'checkpoint');
    const { publicKeyPem } = gateway.storage.audit;
    assert.equal((await verifyAudit(bare, { publicKeyPem })).anchored_until, 0);
    const kept = [JSON.stringify(body.data)];
    assert.equal((await verifyAudit(bare, { publicKeyPem, stored: kept })).anchored_until, body.data['seq']);
    await admin.call('PUT', '/audit-log/target', { url: '' });
    await gateway.storage.audit.checkpoint(gateway.account.organizationId);
    assert.equal((await admin.call('GET', '/audit-log/target')).body['url'], null);
    const listed = await admin.call<{ deliveries: { event: string }[] }>(
      'GET',
      '/webhook-deliveries?event=audit.checkpoint',
    );
    assert.equal(listed.body.deliveries.length, 1);
  });

  test('is read by members, exported by admins, and separate for each organization', async () => {
    const viewer = await signInAs(gateway, 'viewer');
    assert.equal((await viewer.call('GET', '/audit-log')).status, 200);
    assert.equal((await viewer.call('POST', '/audit-log/verify-chain')).status, 200);
    assert.equal((await viewer.call('GET', '/audit-log/export')).status, 403);
    assert.equal((await viewer.call('PUT', '/audit-log/target', { url: '' })).status, 403);
    const other = await addAccount(gateway, { plan: 'pro' });
    const stranger = await signInAs(gateway, 'owner', other.organizationId);
    const { rows } = await read('?limit=200', stranger);
    const own = (await read('?limit=200')).rows.map(({ hash }) => hash);
    assert.ok(rows.every(({ hash }) => !own.includes(hash)));
  });

  test('is verified up to the first broken row, which is named', async (t) => {
    // The test opens the database file itself, so this is SQLite in every run.
    const own = await startGateway({ isOwn: true, env: { DATABASE_URL: '' } });
    t.after(() => own.close());
    for (let n = 0; n < 5; n++) await own.call('POST', '/api/v1/api-keys', { body: { name: `Key ${n}` } });
    const database = new Database(`${own.dataDir}/gateway.sqlite`);
    database
      .prepare("UPDATE audit_rows SET actor = 'usr_nobody' WHERE organization_id = ? AND seq = 4")
      .run(own.account.organizationId);
    database.close();
    const someone = await signInAs(own, 'admin');
    const { body } = await someone.call<ChainReport>('POST', '/audit-log/verify-chain');
    assert.equal(body.valid, false);
    assert.deepEqual(body.first_invalid, {
      seq: 4,
      reason: 'row_changed',
      message: 'Row 4 was changed after it was written.',
    });
    assert.equal(body.anchored_until, 0, 'no checkpoint covers what follows a broken row');
  });
});
