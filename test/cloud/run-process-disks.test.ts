import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { runCli, runMain, startGatewayProcess } from '../support/gateway-process.ts';
import { mountSmallDisk, NO_SMALL_DISK, type SmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const KIB = 1_024;
const probe = mountSmallDisk(1);
probe?.remove();

describe('a disk that is full or read-only', { skip: probe === null && NO_SMALL_DISK }, () => {
  let disk: SmallDisk;
  let dataDir: string;
  beforeEach(() => {
    disk = mountSmallDisk(64) as SmallDisk;
    dataDir = join(disk.folder, 'data');
  });
  afterEach(() => disk.remove());

  const refuse = async (sentence: RegExp): Promise<void> => {
    const ended = await runMain({ GATEWAY_DATA_DIR: dataDir, LOG_LEVEL: 'error' });
    assert.equal(ended.code, 1, ended.stderr);
    assert.equal(ended.stdout, '');
    assert.match(ended.stderr, sentence);
    assert.ok(ended.stderr.includes(dataDir), ended.stderr);
    assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
  };

  test('is reported at the start, however little is free, and the start works once there is room', async () => {
    for (const left of [0, 4 * KIB, 24 * KIB, 200 * KIB]) {
      disk.fill(left);
      await refuse(/^The disk .*is full/);
    }
    disk.free();
    const running = await startGatewayProcess({ dataDir });
    assert.notEqual(running.firstKey, null, 'nothing of the failed starts is in the way');
    assert.equal((await running.stop()).code, 0);
  });

  test('is reported if it is read-only: empty, or with earlier data', async () => {
    disk.makeReadOnly();
    await refuse(/^The data folder .* could not be created/);
    disk.remove();
    disk = mountSmallDisk(64) as SmallDisk;
    dataDir = join(disk.folder, 'data');
    assert.equal((await runCli(['migrate'], { GATEWAY_DATA_DIR: dataDir })).code, 0);
    disk.makeReadOnly();
    await refuse(/^The database file cannot be used .*must be able to write/);
  });

  test('fills up under load: readiness fails before requests do, nothing is lost, room restores the service', async () => {
    const running = await startGatewayProcess({ dataDir });
    const key = running.firstKey as string;
    const scan = async (): Promise<number> => {
      const answer = await fetch(`${running.address}/api/v1/security/scan`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{"content":"hello"}',
      });
      const { error } = (await answer.json()) as { error?: { code: string } };
      if (answer.status !== 200) assert.equal(error?.code, 'service_unavailable');
      return answer.status;
    };
    const isReady = async (): Promise<boolean> => (await fetch(`${running.address}/health/ready`)).ok;
    const untilReady = (due: boolean) => until(isReady, (is) => is === due);
    let decided = 0;
    const scans = async (count: number): Promise<readonly number[]> => {
      const statuses = await Promise.all(Array.from({ length: count }, scan));
      decided += statuses.filter((status) => status === 200).length;
      return statuses;
    };
    assert.deepEqual(new Set(await scans(20)), new Set([200]));
    assert.ok(await isReady());

    disk.fill(8 * KIB * KIB);
    await untilReady(false);
    assert.deepEqual(new Set(await scans(20)), new Set([200]), 'requests still work');

    disk.fill();
    let refused = 0;
    for (let round = 0; round < 50 && refused === 0; round++) {
      const statuses = await scans(50);
      refused = statuses.filter((status) => status === 503).length;
      assert.ok(statuses.every((status) => status === 200 || status === 503));
    }
    assert.ok(refused > 0, 'the disk was never full');

    disk.free();
    await untilReady(true);
    assert.deepEqual(new Set(await scans(20)), new Set([200]));
    const usage = await fetch(`${running.address}/api/v1/usage/stats`, { headers: { 'x-api-key': key } });
    assert.equal(((await usage.json()) as { requests_used: number }).requests_used, decided);
    assert.equal((await running.stop()).code, 0);
    const verified = await runCli(['audit', 'verify', '--json'], { GATEWAY_DATA_DIR: dataDir });
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  });
});
