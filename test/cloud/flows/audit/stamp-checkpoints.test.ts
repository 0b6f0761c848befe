import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ChainReport } from '@csg/shared/contract';
import { stampCheckpoints } from '../../../../apps/cloud/src/flows/audit/stamp-checkpoints.ts';
import {
  createTimestampAuthority,
  type TimestampAuthority,
} from '../../../../apps/cloud/src/timestamps/timestamp-authority.ts';
import { verifyAudit } from '../../../../scripts/verify-audit.ts';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  noOpenssl,
  startTimestampAuthority,
  type TestTimestampAuthority,
} from '../../../support/timestamp-authority.ts';

describe('time stamps of checkpoints', { skip: noOpenssl }, () => {
  let server: TestTimestampAuthority;
  let gateway: TestGateway;
  let admin: TestBrowser;
  let timestampAuthority: TimestampAuthority;
  before(async () => {
    server = await startTimestampAuthority();
    gateway = await startGateway({
      env: { AUDIT_TIMESTAMP_URL: server.url, AUDIT_TIMESTAMP_CA_FILE: server.certificatesFile },
    });
    admin = await signInAs(gateway, 'admin');
    timestampAuthority = createTimestampAuthority({ ...server, now: Date.now });
  });
  after(async () => {
    await timestampAuthority?.close();
    await gateway?.close();
    await server?.close();
  });

  const grow = async () => {
    await gateway.call('POST', '/api/v1/security/scan', { body: { content: 'hello' } });
    await gateway.storage.audit.checkpoint();
  };
  const stamp = () => stampCheckpoints({ storage: gateway.storage, timestampAuthority });
  const verify = async () => (await admin.call<ChainReport>('POST', '/audit-log/verify-chain')).body;
  const exported = async () => {
    const lines: string[] = [];
    for await (const line of gateway.storage.audit.exportLines(gateway.account.organizationId))
      lines.push(line.trim());
    return lines;
  };
  const stamps = async () => (await exported()).filter((line) => line.includes('"type":"timestamp"'));

  test('the newest checkpoint is stamped once, and openssl verifies the stamp from the export', async () => {
    assert.equal((await verify()).timestamp, null);
    await grow();
    await grow();
    await stamp();
    await stamp();
    const [line, ...more] = await stamps();
    assert.deepEqual(more, []);
    const { number, token } = JSON.parse(line!) as { number: number; token: string };
    const report = await verify();
    assert.deepEqual([report.timestamp?.valid, report.timestamp?.seq], [true, report.anchored_until]);

    const checkpoint = (await exported()).find(
      (one) => one.includes('"type":"checkpoint"') && one.includes(`"number":${number},`),
    );
    server.write('checkpoint', `${checkpoint}\n`);
    server.write('token', Buffer.from(token, 'base64'));
    const files = ['-data', 'checkpoint', '-in', 'token', '-token_in', '-CAfile', 'ca.pem'];
    assert.match(server.openssl('ts', '-verify', ...files), /OK/);
    assert.equal(
      (await verifyAudit(await exported())).valid,
      true,
      'the offline verifier accepts such lines',
    );
  });

  test('an unreachable authority stops nothing, and is asked again for the newest checkpoint', async () => {
    server.override = (request) => request.destroy();
    await grow();
    await assert.rejects(stamp(), /could not be reached/);
    await grow();
    assert.equal((await verify()).valid, true);
    assert.equal((await stamps()).length, 1);
    server.override = null;
    await stamp();
    assert.equal((await stamps()).length, 2);
    const { timestamp, anchored_until } = await verify();
    assert.equal(timestamp?.seq, anchored_until);
  });

  test('a forged token is reported as invalid, and breaks no chain', async () => {
    await grow();
    const organizationId = gateway.account.organizationId;
    const [due] = await gateway.storage.audit.listUnstamped();
    const forged = { organizationId, number: due!.number, atMs: 1, token: 'Zm9yZ2Vk' };
    await gateway.storage.audit.storeTimestamp(forged);
    const report = await verify();
    assert.deepEqual([report.valid, report.timestamp?.valid], [true, false]);
  });
});
