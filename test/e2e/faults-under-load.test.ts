/**
 * Everything that the service depends on misbehaves in turn, while others use it. The promise of each, and the books
 * at the end. How each fault is met in detail: relay-faults, webhook-sender, policy-webhook, send-mails, render-page.
 */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { openBrowser } from '../support/browser.ts';
import {
  ATTACK,
  type FaultsStand,
  noOwnNames,
  OWNER,
  type OwnNames,
  openFaultsStand,
  openOwnNames,
} from '../support/faults-stand.ts';
import { runCli } from '../support/gateway-process.ts';
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { browser, chat, inParallel, MINUTE, newestDelivery, ROWS } from './fault-rows.ts';

/** Answers that others get while something misbehaves. */
const OF_OTHERS = 24;
/** Of loopback, and unused. */
const RESOLVER = '127.77.0.1';

/** Unknown names: reported as the provider's problem and the endpoint's; people sign in all the same. */
describe('the resolver misbehaves, and others continue', { skip: noOwnNames }, () => {
  const KNOWN = { 'provider.csg.test': '127.0.0.1', 'receiver.csg.test': '127.0.0.1' };
  let names: OwnNames;
  let silent: Socket;
  let stand: FaultsStand;
  before(async () => {
    names = await openOwnNames(RESOLVER);
    stand = await openFaultsStand({ names });
  });
  after(async () => {
    await stand.close();
    await names.close();
  });

  for (const [name, isSilent] of [
    ['knows a name no more', false],
    ['never answers', true],
  ] as const) {
    test(`it ${name}`, async () => {
      assert.equal((await stand.call('/chat/completions', chat())).status, 200, 'to begin with');
      silent = createSocket('udp4');
      if (isSilent) await new Promise<void>((resolve) => silent.bind(53, RESOLVER, resolve));
      const others = stand.pressOn();
      await names.set();
      await stand.testProvider.dropIdle();
      const sent = stand.receiver.received.length;
      try {
        const refused = await inParallel(10, () => stand.call('/chat/completions', chat()));
        for (const answer of refused) {
          assert.ok([502, 504].includes(answer.status), answer.text);
          assert.equal(answer.code, 'provider_error');
          assert.ok(!answer.text.includes('csg.test'), 'the name is not revealed');
        }
        await stand.call('/chat/completions', chat(ATTACK), stand.keys.reported);
        const delivery = await until(
          () => newestDelivery(stand),
          (newest) => newest?.['attempts'] === 1,
        );
        assert.equal(delivery?.['status'], 'pending');
        assert.match(String(delivery?.['last_error']), /name|resolve|reached|did not answer/i);
        // Passwords are hashed by the threads that also wait for resolvers.
        assert.equal((await openBrowser(stand.gateway).signIn(OWNER)).status, 200);
        const done = others.done();
        await until(
          async () => others.done(),
          (count) => count >= done + OF_OTHERS,
        );
      } finally {
        await names.set(KNOWN);
        silent.close();
        for (const { status, text } of await others.stop()) assert.equal(status, 200, `others: ${text}`);
      }
      await until(
        () => stand.call('/chat/completions', chat()),
        ({ status }) => status === 200,
      );
      await stand.advance(MINUTE);
      await stand.receiver.until(sent + 1);
    });
  }
});

describe('the disk is full', () => {
  test('nothing is forwarded that could not be recorded; it is reported; with room again everything works', async (t) => {
    const disk = mountSmallDisk(40);
    if (disk === null) return t.skip(NO_SMALL_DISK);
    const stand = await openFaultsStand({ dataDir: join(disk.folder, 'data') });
    try {
      assert.equal((await stand.call('/chat/completions', chat())).status, 200, 'to begin with');
      disk.fill();
      const requestCount = stand.testProvider.requests.length;
      const refused = await until(
        () => stand.call('/chat/completions', chat()),
        ({ status }) => status !== 200,
      );
      const forwarded = stand.testProvider.requests.length;
      assert.deepEqual([refused.status, refused.code], [503, 'service_unavailable'], refused.text);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      for (const answer of await inParallel(20, () => stand.call('/chat/completions', chat(ATTACK)))) {
        assert.ok([403, 503].includes(answer.status), answer.text);
      }
      for (const answer of await inParallel(20, () => stand.call('/chat/completions', chat()))) {
        assert.equal(answer.status, 503, answer.text);
      }
      assert.equal(
        stand.testProvider.requests.length,
        forwarded,
        `${forwarded - requestCount} before it was full`,
      );
      const health = await Promise.all(
        ['/health', '/health/ready'].map((path) => fetch(`${stand.gateway.address}${path}`)),
      );
      assert.equal(health[0]?.status, 200, 'it lives');
      assert.equal(health[1]?.status, 503, 'it had better be sent nothing');
      const reported = (await health[1]?.json()) as { faults: Record<string, string> };
      assert.match(JSON.stringify(reported), /disk|full|storage/i);

      disk.free();
      await until(
        () => stand.call('/chat/completions', chat()),
        ({ status }) => status === 200,
      );
      await until(
        () => fetch(`${stand.gateway.address}/health/ready`),
        ({ status }) => status === 200,
      );
      await booksAreWhole(stand);
    } finally {
      await stand.close();
      disk.remove();
    }
  });
});

describe('what the service depends on misbehaves, and others continue', () => {
  let stand: FaultsStand;
  before(async () => {
    stand = await openFaultsStand({
      env: { ...(browser === null ? {} : { CHROMIUM_PATH: browser }) },
    });
    assert.equal((await stand.call('/chat/completions', chat())).status, 200, 'to begin with');
  });
  after(() => stand.close());

  for (const { name, skip = false, during, afterwards } of ROWS) {
    test(name, { skip }, async () => {
      const others = stand.pressOn();
      try {
        await during(stand);
        const done = others.done();
        await until(
          async () => others.done(),
          (count) => count >= done + OF_OTHERS,
        );
        const ready = await fetch(`${stand.gateway.address}/health/ready`);
        assert.equal(ready.status, 200, 'no reason to send its requests elsewhere');
      } finally {
        for (const { status, text } of await others.stop()) assert.equal(status, 200, `others: ${text}`);
      }
      await afterwards(stand);
      // The next one meets no limit per minute of this one.
      await stand.advance(MINUTE);
    });
  }

  test('the books are whole: every decision that was answered, every webhook, the chain', async () => {
    assert.ok(stand.decided.size > ROWS.length * OF_OTHERS, `${stand.decided.size} decisions`);
    await booksAreWhole(stand);
  });
});

/** Every decision that was answered has its event and audit row; nothing waits; the chain holds. */
async function booksAreWhole(stand: FaultsStand): Promise<void> {
  await stand.gateway.stop();
  const database = new Database(join(stand.dataDir, 'gateway.sqlite'), { readonly: true });
  try {
    const column = (sql: string) => database.prepare(sql).pluck().all() as string[];
    const events = new Set(column('select id from security_events'));
    const rows = new Set(column("select subject from audit_rows where kind like 'policy_%'"));
    const missing = [...stand.decided].filter((id) => !events.has(id) || !rows.has(id));
    assert.deepEqual(missing, []);
    assert.deepEqual(column("select id from webhook_deliveries where status != 'delivered'"), []);
    assert.deepEqual(column("select id from mails where status != 'sent'"), []);
  } finally {
    database.close();
  }
  const verified = await runCli(['audit', 'verify'], { GATEWAY_DATA_DIR: stand.dataDir });
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
}
