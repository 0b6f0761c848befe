/**
 * Everything that the service depends on fails in turn, while other clients use it. Asserts the promised behavior each
 * time, and complete records at the end. Details of each fault: relay-faults, webhook-sender, policy-webhook,
 * send-mails, render-page.
 */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { openBrowser } from '../support/browser.ts';
import {
  ATTACK,
  type FaultsTestStack,
  noPrivateHosts,
  OWNER,
  openFaultsTestStack,
  openPrivateHosts,
  type PrivateHosts,
} from '../support/faults-test-stack.ts';
import { runCli } from '../support/gateway-process.ts';
import { isInPart, partOf } from '../support/part.ts';
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { browser, chat, inParallel, MINUTE, newestDelivery, POLICY_ERRORS, ROWS } from './fault-rows.ts';

/** Responses that other clients get during a fault. */
const OF_OTHERS = 24;
/** A loopback address that is otherwise unused. */
const RESOLVER = '127.77.0.1';

const FATES = partOf(
  'fates of the resolver',
  [
    ['no longer knows a name', false],
    ['never answers', true],
  ] as const,
  1,
);

/** Unknown names: reported as the provider's problem and the endpoint's; people can still sign in. */
if (isInPart('the resolver', 2))
  describe('the DNS resolver fails, and others are served', { skip: noPrivateHosts }, () => {
    const KNOWN = { 'provider.csg.test': '127.0.0.1', 'receiver.csg.test': '127.0.0.1' };
    let names: PrivateHosts;
    let silent: Socket;
    let testStack: FaultsTestStack;
    before(async () => {
      names = await openPrivateHosts(RESOLVER);
      testStack = await openFaultsTestStack({ names });
    });
    after(async () => {
      await testStack.close();
      await names.close();
    });

    for (const [name, isSilent] of FATES) {
      test(`the resolver ${name}`, async () => {
        assert.equal((await testStack.call('/chat/completions', chat())).status, 200, 'to begin with');
        silent = createSocket('udp4');
        if (isSilent) await new Promise<void>((resolve) => silent.bind(53, RESOLVER, resolve));
        const others = testStack.pressOn();
        await names.set();
        await testStack.testProvider.dropIdle();
        const sent = testStack.receiver.received.length;
        try {
          const refused = await inParallel(10, () => testStack.call('/chat/completions', chat()));
          for (const answer of refused) {
            assert.ok([502, 504].includes(answer.status), answer.text);
            assert.equal(answer.code, 'provider_error');
            assert.ok(!answer.text.includes('csg.test'), 'the name is not revealed');
          }
          await testStack.call('/chat/completions', chat(ATTACK), testStack.keys.reported);
          const delivery = await until(
            () => newestDelivery(testStack),
            (newest) => newest?.['attempts'] === 1,
          );
          assert.equal(delivery?.['status'], 'pending');
          assert.match(String(delivery?.['last_error']), /name|resolve|reached|did not respond/i);
          // Passwords are hashed by the threads that also wait for resolvers.
          assert.equal((await openBrowser(testStack.gateway).signIn(OWNER)).status, 200);
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
          () => testStack.call('/chat/completions', chat()),
          ({ status }) => status === 200,
        );
        await testStack.advance(MINUTE);
        await testStack.receiver.until(sent + 1);
      });
    }
  });

if (isInPart('the full disk', 2))
  describe('the disk is full', () => {
    test('nothing is forwarded without a record; the failure is reported, and with free space everything works', async (t) => {
      const disk = mountSmallDisk(40);
      if (disk === null) return t.skip(NO_SMALL_DISK);
      const testStack = await openFaultsTestStack({ dataDir: join(disk.folder, 'data') });
      try {
        assert.equal((await testStack.call('/chat/completions', chat())).status, 200, 'to begin with');
        disk.fill();
        const requestCount = testStack.testProvider.requests.length;
        const refused = await until(
          () => testStack.call('/chat/completions', chat()),
          ({ status }) => status !== 200,
        );
        const forwarded = testStack.testProvider.requests.length;
        assert.deepEqual([refused.status, refused.code], [503, 'service_unavailable'], refused.text);
        assert.ok(Number(refused.headers.get('retry-after')) > 0);
        for (const answer of await inParallel(20, () => testStack.call('/chat/completions', chat(ATTACK)))) {
          assert.ok([403, 503].includes(answer.status), answer.text);
        }
        for (const answer of await inParallel(20, () => testStack.call('/chat/completions', chat()))) {
          assert.equal(answer.status, 503, answer.text);
        }
        assert.equal(
          testStack.testProvider.requests.length,
          forwarded,
          `${forwarded - requestCount} before it was full`,
        );
        const health = await Promise.all(
          ['/health', '/health/ready'].map((path) => fetch(`${testStack.gateway.address}${path}`)),
        );
        assert.equal(health[0]?.status, 200, 'the process is alive');
        assert.equal(health[1]?.status, 503, 'it is not ready for requests');
        const reported = (await health[1]?.json()) as { faults: Record<string, string> };
        assert.match(JSON.stringify(reported), /disk|full|storage/i);

        disk.free();
        await until(
          () => testStack.call('/chat/completions', chat()),
          ({ status }) => status === 200,
        );
        await until(
          () => fetch(`${testStack.gateway.address}/health/ready`),
          ({ status }) => status === 200,
        );
        await booksAreWhole(testStack);
      } finally {
        await testStack.close();
        disk.remove();
      }
    });
  });

describe('what the service depends on fails, and others are served', () => {
  let testStack: FaultsTestStack;
  before(async () => {
    testStack = await openFaultsTestStack({
      env: { ...(browser === null ? {} : { CHROMIUM_PATH: browser }) },
    });
    assert.equal((await testStack.call('/chat/completions', chat())).status, 200, 'to begin with');
  });
  after(() => testStack.close());

  const rows = partOf('faults under load', ROWS, Math.ceil(ROWS.length / 3));
  for (const { name, skip = false, during, afterwards } of rows) {
    test(name, { skip }, async () => {
      const others = testStack.pressOn();
      try {
        await during(testStack);
        const done = others.done();
        await until(
          async () => others.done(),
          (count) => count >= done + OF_OTHERS,
        );
        const ready = await fetch(`${testStack.gateway.address}/health/ready`);
        assert.equal(ready.status, 200, 'no reason for a load balancer to avoid it');
      } finally {
        for (const { status, text } of await others.stop()) assert.equal(status, 200, `others: ${text}`);
      }
      await afterwards(testStack);
      // The next fault must not meet the rate limit of this minute.
      await testStack.advance(MINUTE);
    });
  }

  test('every decision and every webhook is recorded, and the chain verifies', async () => {
    assert.ok(testStack.decided.size > rows.length * OF_OTHERS, `${testStack.decided.size} decisions`);
    await booksAreWhole(testStack);
  });
});

/**
 * Every decision has its event and audit row; what was queued is delivered, and each failed call of a policy endpoint
 * recorded; the chain verifies.
 */
async function booksAreWhole(testStack: FaultsTestStack): Promise<void> {
  const policyErrors = await testStack.metric(POLICY_ERRORS);
  await testStack.gateway.stop();
  const database = new Database(join(testStack.dataDir, 'gateway.sqlite'), { readonly: true });
  try {
    const column = (sql: string) => database.prepare(sql).pluck().all() as string[];
    const events = new Set(column('select id from security_events'));
    const rows = new Set(column("select subject from audit_rows where kind like 'policy_%'"));
    const missing = [...testStack.decided].filter((id) => !events.has(id) || !rows.has(id));
    assert.deepEqual(missing, []);
    const undelivered = "select id from webhook_deliveries where kind != 'policy' and status != 'delivered'";
    assert.deepEqual(column(undelivered), []);
    // A decision does not wait for a second attempt: these calls failed, and only such calls are recorded.
    const policyCalls = column("select status from webhook_deliveries where kind = 'policy'");
    assert.deepEqual(policyCalls, new Array(policyErrors).fill('failed'));
    assert.deepEqual(column("select id from mails where status != 'sent'"), []);
  } finally {
    database.close();
  }
  const verified = await runCli(['audit', 'verify'], { GATEWAY_DATA_DIR: testStack.dataDir });
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
}
