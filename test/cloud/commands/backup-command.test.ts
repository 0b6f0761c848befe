import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('backup', () => {
  let folder: string;
  let gateway: TestGateway;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csg-backup-'));
    gateway = await startGateway({ dataDir: join(folder, 'kept') });
    // The default rate limit would stop the load, and rejected requests leave nothing to back up.
    const { accountId } = gateway.account;
    await gateway.storage.subscriptions.set(accountId, { plan: 'enterprise', perMinute: 1_000_000 });
  });
  after(async () => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });

  const scan = (of: TestGateway, n: number) =>
    of.call('POST', '/api/v1/security/scan', { body: { content: `question ${n}` }, key: gateway.key });
  const verify = (dataDir: string) => commandLine(dataDir).json(['audit', 'verify']);

  test('is complete when made under load: the chain is valid, keys work, no earlier event is missing', async () => {
    for (let n = 0; n < 20; n++) assert.equal((await scan(gateway, n)).status, 200);
    let isDone = false;
    let during = 0;
    const load = (async () => {
      while (!isDone) {
        assert.equal((await scan(gateway, during)).status, 200);
        during++;
      }
    })();
    const out = join(folder, 'copy');
    const result = await commandLine(gateway.dataDir).json(['backup', '--out', out]);
    const served = during;
    isDone = true;
    await load;
    assert.deepEqual(result, { folder: out });
    assert.ok(served > 0, 'no request was served during the backup');
    assert.deepEqual(
      (await readdir(out)).filter((name) => name.startsWith('gateway')),
      ['gateway.sqlite'],
      'one file, without a log that would have to be restored with it',
    );
    assert.equal((await stat(join(out, 'gateway.sqlite'))).mode & 0o077, 0, 'other users may read the copy');
    await copyFile(join(gateway.dataDir, 'master.key'), join(out, 'master.key'));
    const report = await verify(out);
    assert.equal(report['valid'], true, JSON.stringify(report));
    assert.ok((report['checked'] as number) >= 20, JSON.stringify(report));
    const restored = await startGateway({ dataDir: out });
    assert.equal((await scan(restored, 0)).status, 200, 'a key from before the backup');
    await restored.close();
  });

  test('rejects an output folder that exists or cannot be created', async () => {
    const commands = commandLine(gateway.dataDir);
    await commands.refuse(['backup', '--out', folder], /already exists\. Name a new folder\.\n$/);
    await commands.refuse(['backup', '--out', '/proc/nowhere/copy'], /cannot be created \(ENOENT\)\.\n$/);
  });

  test('restored from an old copy in place of the newer database, fails audit verify', async () => {
    const commands = commandLine(gateway.dataDir);
    const old = join(folder, 'old');
    await commands.json(['backup', '--out', old]);
    for (let n = 0; n < 20; n++) assert.equal((await scan(gateway, n)).status, 200);
    await gateway.storage.audit.checkpoint(gateway.account.organizationId);
    await copyFile(join(gateway.dataDir, 'master.key'), join(old, 'master.key'));
    assert.equal((await verify(old))['valid'], true);
    // The checkpoints lie outside the database, and the operator who restored it had no older ones.
    await copyFile(join(gateway.dataDir, 'audit-checkpoints.jsonl'), join(old, 'audit-checkpoints.jsonl'));
    const { stdout, code } = await commandLine(old).run(['audit', 'verify']);
    assert.equal(code, 1);
    assert.match(stdout, /BROKEN/);
  });
});
