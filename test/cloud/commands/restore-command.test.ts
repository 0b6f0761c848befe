import assert from 'node:assert/strict';
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('restore', () => {
  let folder: string;
  let gateway: TestGateway;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csg-restore-'));
    gateway = await startGateway({ dataDir: join(folder, 'kept') });
  });
  after(async () => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });

  const scan = (of: TestGateway, n: number) =>
    of.call('POST', '/api/v1/security/scan', { body: { content: `question ${n}` }, key: gateway.key });
  const verify = (dataDir: string) => commandLine(dataDir).json(['audit', 'verify']);

  test('after a crash: the log of the previous database is not applied to the backup', async () => {
    const crashed = join(folder, 'crashed');
    const backup = join(folder, 'before the crash');
    const checked = async (): Promise<unknown> => (await verify(crashed))['checked'];
    await commandLine(gateway.dataDir).json(['backup', '--out', backup]);
    for (let n = 0; n < 20; n++) assert.equal((await scan(gateway, n)).status, 200);
    // What a killed process leaves: its last writes are only in the log.
    await cp(gateway.dataDir, crashed, { recursive: true });
    assert.ok((await stat(join(crashed, 'gateway.sqlite-wal'))).size > 0);
    const newest = await cp(crashed, join(folder, 'newest'), { recursive: true }).then(checked);

    const result = await commandLine(crashed).json(['restore', '--from', backup]);
    const restored = (await checked()) as number;
    assert.ok(restored <= (newest as number) - 20, `${restored} rows of ${newest}`);
    const replaced = result['replaced'] as string;
    assert.deepEqual(result, { restored: backup, replaced });
    await copyFile(join(crashed, 'master.key'), join(replaced, 'master.key'));
    assert.equal((await verify(replaced))['checked'], newest, 'what was replaced is complete');
    const again = await startGateway({ dataDir: crashed });
    assert.equal((await scan(again, 0)).status, 200, 'a key from before the backup');
    await again.close();
  });

  test('into an empty folder, and in place of a damaged database', async () => {
    const backup = join(folder, 'for others');
    await commandLine(gateway.dataDir).json(['backup', '--out', backup]);
    for (const name of ['empty', 'damaged']) {
      const target = join(folder, name);
      await mkdir(target);
      await copyFile(join(gateway.dataDir, 'master.key'), join(target, 'master.key'));
      if (name === 'damaged') await writeFile(join(target, 'gateway.sqlite'), 'no database '.repeat(1000));
      const { code, stdout } = await commandLine(target).run(['restore', '--from', backup]);
      assert.equal(code, 0);
      assert.equal(/The previous one is in /.test(stdout), name === 'damaged', stdout);
      assert.equal((await verify(target))['valid'], true);
    }
  });

  test('not over a database in use, or from a folder that is no backup', async () => {
    const commands = commandLine(gateway.dataDir);
    const restore = (from: string) => ['restore', '--from', from];
    const backup = join(folder, 'unused');
    await commands.json(['backup', '--out', backup]);
    await commands.refuse(restore(backup), /^The database is in use\. Stop the service, then restore\.\n$/);
    await commands.refuse(restore(folder), /is not a backup: it has no gateway\.sqlite\.\n$/);
    await commands.refuse(restore(gateway.dataDir), /is the data folder itself\./);
    await writeFile(join(backup, 'gateway.sqlite'), 'no database '.repeat(1000));
    await commands.refuse(restore(backup), /is not a complete database of this service\.\n$/);
    const onPostgres = commandLine(gateway.dataDir, { DATABASE_URL: 'postgres://127.0.0.1/gateway' });
    await onPostgres.refuse(restore(backup), /restore it with pg_restore/);
    assert.deepEqual(
      (await readdir(gateway.dataDir)).filter((name) => /restoring|replaced/.test(name)),
      [],
      'nothing is left',
    );
    assert.equal((await scan(gateway, 0)).status, 200);
  });
});
