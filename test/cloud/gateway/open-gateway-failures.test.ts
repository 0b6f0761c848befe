import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { type Config, parseConfig } from '../../../apps/cloud/src/config/parse-config.ts';
import { openGateway } from '../../../apps/cloud/src/gateway/open-gateway.ts';
import { noRedis, startRedis, type TestRedis } from '../../support/redis.ts';
import { type MailServer, startMailServer } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const log = pino({ level: 'silent' });

/** What keeps this process alive, by kind. */
function openResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo().sort()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** A configuration whose read number `failing` throws, and the number of its reads. */
function failingConfig(config: Config, failing: number): { config: Config; reads(): number } {
  let reads = 0;
  const proxy = new Proxy(config, {
    get(target, name, receiver) {
      reads += 1;
      if (reads === failing) throw new Error(`reading ${String(name)} fails`);
      return Reflect.get(target, name, receiver);
    },
  });
  return { config: proxy, reads: () => reads };
}

describe('a gateway that cannot be opened', { skip: noRedis }, () => {
  let dataDir: string;
  let redis: TestRedis;
  /** Keeps no connection open, so that those of the gateway alone are counted. */
  const collector = createServer((request, response) => {
    request.resume();
    response.setHeader('Connection', 'close').end();
  });
  let mailServer: MailServer;
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'csg-test-'));
    collector.listen(0, '127.0.0.1');
    [redis, mailServer] = await Promise.all([startRedis(), startMailServer(), once(collector, 'listening')]);
  });
  after(async () => {
    collector.close();
    await Promise.all([redis.stop(), mailServer.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  function configOf(env: Record<string, string> = {}): Config {
    const parsed = parseConfig({
      PORT: '0',
      GATEWAY_DATA_DIR: dataDir,
      REDIS_URL: redis.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      SMTP_URL: mailServer.url,
      ...env,
    });
    assert.ok(parsed.ok);
    return parsed.config;
  }

  /** SQLite removes this file when its last connection is closed. */
  const isDatabaseOpen = () => existsSync(join(dataDir, 'gateway.sqlite-wal'));

  async function assertNothingOpen(expected: Record<string, number>, what: string): Promise<void> {
    const more = (found: Record<string, number>) =>
      Object.keys(found).filter((kind) => found[kind]! > (expected[kind] ?? 0));
    await until(
      async () => more(openResources()),
      (kinds) => kinds.length === 0,
    ).catch((error: Error) => assert.fail(`${what}: ${error.message}`));
    assert.equal(isDatabaseOpen(), false, what);
  }

  test('closes the parts opened before, whichever step fails', async () => {
    const first = failingConfig(configOf(), 0);
    const gateway = await openGateway(first.config, log);
    assert.ok(isDatabaseOpen(), 'the test looks for the database in the right place');
    await gateway.close();
    const resources = openResources();
    const reads = first.reads();
    assert.ok(reads > 40, `${reads} settings are read`);
    for (let failing = 1; failing <= reads; failing++) {
      const { config } = failingConfig(configOf(), failing);
      let message = '';
      try {
        await (await openGateway(config, log)).close();
      } catch (error) {
        message = (error as Error).message;
      }
      assert.match(message, /^reading \S+ fails$/, `reading ${failing} of ${reads}`);
      await assertNothingOpen(resources, message);
    }
  });

  for (const [what, env] of [
    ['a classifier', { GATEWAY_CLASSIFIER_DIR: join(tmpdir(), 'csg-no-classifier') }],
    ['Redis', { REDIS_URL: 'redis://127.0.0.1:9' }],
    ['a file of providers', { PROVIDERS_FILE: join(tmpdir(), 'csg-no-providers.json') }],
    ['a file of plans', { GATEWAY_PLANS_FILE: join(tmpdir(), 'csg-no-plans.json') }],
  ] as const) {
    test(`leaves nothing open if ${what} cannot be used`, async () => {
      const resources = openResources();
      await assert.rejects(openGateway(configOf(env), log));
      await assertNothingOpen(resources, what);
    });
  }

  test('leaves nothing open if its port is taken', async (t) => {
    const holder = await openGateway(configOf({ GATEWAY_DATA_DIR: other() }), log);
    t.after(() => holder.close());
    const port = new URL(await holder.listen()).port;
    const resources = openResources();
    const gateway = await openGateway(configOf({ PORT: port }), log);
    await assert.rejects(gateway.listen(), { code: 'EADDRINUSE' });
    await gateway.close();
    await assertNothingOpen(resources, 'the port');
  });

  function other(): string {
    const dir = join(dataDir, 'other');
    mkdirSync(dir, { recursive: true });
    return dir;
  }
});
