import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { missingTool } from '../../scripts/system-tools.ts';
import { type Answer, readAnswer } from '../support/answers.ts';
import { createEmptyDatabase, noPostgres, type TestDatabase } from '../support/databases.ts';
import { type GatewayProcess, runMain, startGatewayProcess } from '../support/gateway-process.ts';
import { noRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';
import { until } from '../support/until.ts';

const WORKERS = 3;

describe('several processes on one port', {
  skip: noPostgres || noRedis || missingTool(['processes']),
}, () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let testProvider: TestProvider;
  let dataDir: string;
  let env: Record<string, string>;
  let gateway: GatewayProcess;
  let key: string;
  before(async () => {
    [database, redis, testProvider] = await Promise.all([
      createEmptyDatabase(),
      startRedis(),
      startTestProvider(),
    ]);
    dataDir = await mkdtemp(join(tmpdir(), 'csg-workers-'));
    env = {
      DATABASE_URL: database.databaseUrl,
      REDIS_URL: redis.url,
      PROVIDER_OPENAI_URL: testProvider.url,
      LOG_LEVEL: 'info',
    };
    gateway = await startGatewayProcess({ dataDir, env: { ...env, WORKERS: String(WORKERS) } });
    key = gateway.firstKey as string;
    await until(serving, (count) => count === WORKERS);
  });
  after(async () => {
    gateway?.child.kill('SIGKILL');
    await Promise.all([gateway?.ended, database.drop(), redis.stop(), testProvider.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Uses a connection of its own, so that requests reach every worker. */
  const call = (path: string, body?: object): Promise<Answer> =>
    readAnswer(
      fetch(`${gateway.address}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'x-api-key': key,
          connection: 'close',
          'content-type': 'application/json',
          authorization: 'Bearer sk-test',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const scan = () => call('/api/v1/security/scan', { content: 'hello' });
  const children = (): number[] =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(gateway.child.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(Number);
  const logged = (message: string) => gateway.output().stderr.split(`"msg":"${message}"`).length - 1;
  const metrics = async () => (await call('/metrics')).text;
  /** How many requests each worker has answered on one route. */
  const counts = async (route: string): Promise<Map<string, number>> => {
    const pattern = new RegExp(
      `^gateway_http_request_duration_seconds_count\\{(?=.*route="${route}").*worker="(\\d+)".*\\} (\\d+)$`,
      'gm',
    );
    return new Map(
      [...(await metrics()).matchAll(pattern)].map(([, worker, count]) => [worker!, Number(count)]),
    );
  };
  const serving = async () =>
    new Set(
      [...(await metrics()).matchAll(/^process_resident_memory_bytes\{worker="(\d+)"/gm)].map(([, id]) => id),
    ).size;

  test('print the first key, the set-up link and the welcome once', () => {
    const { stdout } = gateway.output();
    assert.equal(stdout.match(/Content Security Gateway is running/g)?.length, 1);
    assert.equal(stdout.match(/Your first key/g)?.length, 1);
    assert.equal(stdout.match(/set-up\?token=/g)?.length, 1);
    assert.equal(logged('The database schema was brought up to date'), 1);
  });

  test('all serve, and /metrics of any of them counts every request of all once', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, scan));
    assert.ok(answers.every(({ status }) => status === 200));
    const perWorker = await counts('/api/v1/security/scan');
    assert.equal(perWorker.size, WORKERS, JSON.stringify([...perWorker]));
    assert.equal(
      [...perWorker.values()].reduce((sum, count) => sum + count, 0),
      60,
    );
    // Another worker reports the same counts.
    for (let n = 0; n < WORKERS; n++) assert.deepEqual(await counts('/api/v1/security/scan'), perWorker);
  });

  test('replace one that is killed, log it once, and continue', async () => {
    const [victim] = children();
    process.kill(victim!, 'SIGKILL');
    await until(
      async () => logged('a worker died'),
      (count) => count === 1,
    );
    for (let n = 0; n < 20; n++) assert.equal((await scan()).status, 200);
    await until(serving, (count) => count === WORKERS);
    assert.equal(children().length, WORKERS);
    assert.equal(gateway.output().stdout.match(/Content Security Gateway is running/g)?.length, 1);
    assert.equal(logged('a worker died'), 1);
  });

  /** Returns how many were answered before one was not. */
  async function scansUntilRefused(): Promise<number> {
    for (let answered = 0; ; answered++)
      try {
        await scan();
      } catch {
        return answered;
      }
  }

  test('complete requests in progress after a signal, then end', async () => {
    const goOn = testProvider.hold();
    const running = Array.from({ length: 9 }, () =>
      call('/api/v1/chat/completions', { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }] }),
    );
    await until(
      async () => testProvider.requests.length,
      (count) => count === running.length,
    );
    gateway.child.kill('SIGTERM');
    await until(
      async () => logged('draining'),
      (count) => count === WORKERS + 1,
    );
    // Immediately, or at the end: Node's primary keeps a connection that it handed to a worker which closed
    // just then.
    const taken = scansUntilRefused();
    goOn();
    for (const { status } of await Promise.all(running)) assert.equal(status, 200);
    // Each worker may take one between its log line and closing its socket.
    assert.ok((await taken) <= WORKERS, 'nothing new is taken');
    const ended = await gateway.ended;
    assert.equal(ended.code, 0, ended.stderr);
  });

  test('end if their primary process is killed', async () => {
    gateway = await startGatewayProcess({ dataDir, env: { ...env, WORKERS: '2' } });
    await until(serving, (count) => count === 2);
    const pids = children();
    await gateway.kill();
    const alive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until(
      async () => pids.filter(alive),
      (left) => left.length === 0,
    );
  });

  test('report a failed start once', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const ended = await runMain(
      { ...env, GATEWAY_DATA_DIR: dataDir, LOG_LEVEL: 'error', PORT: String(port) },
      ['--workers', '4'],
    );
    other.close();
    assert.equal(ended.code, 1);
    assert.equal(ended.stdout, '');
    assert.match(ended.stderr, new RegExp(`^Port ${port} on 127.0.0.1 is already in use.*\n$`));
  });
});
