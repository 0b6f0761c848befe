/** Faults of everything that the service depends on, and the promised behavior. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findBrowser } from '../../apps/cloud/src/scrape/render/find-browser.ts';
import { childOf } from '../support/desktop/processes.ts';
import { type Answered, ATTACK, type FaultsTestStack, OWNER } from '../support/faults-test-stack.ts';
import type { ProviderFault } from '../support/test-provider.ts';
import { until } from '../support/until.ts';

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const chat = (content = 'hello') => ({ model: 'gpt-test', messages: [{ role: 'user', content }] });

export interface Row {
  readonly name: string;
  readonly skip?: string | false;
  /** Causes the fault, and asserts what the service promises while it lasts. */
  during(testStack: FaultsTestStack): Promise<void>;
  /** Ends the fault, and asserts what the service promises afterwards. */
  afterwards(testStack: FaultsTestStack): Promise<void>;
}

export const inParallel = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

/** The caller gets the provider's fault as an error, ten times in parallel; afterwards requests succeed again. */
function providerRow(name: string, begin: (testStack: FaultsTestStack) => unknown, status: number): Row {
  const line = `gateway_http_request_duration_seconds_count{method="POST",route="/api/v1/chat/completions",status="${status}"}`;
  return {
    name: `the provider: ${name}`,
    async during(testStack) {
      const value = await testStack.metric(line);
      await begin(testStack);
      for (const answer of await inParallel(10, () => testStack.call('/chat/completions', chat()))) {
        assert.deepEqual([answer.status, answer.code], [status, 'provider_error'], answer.text);
      }
      assert.equal(await testStack.metric(line), value + 10, 'metrics count it');
    },
    async afterwards({ testProvider, call }) {
      await testProvider.reset();
      assert.equal((await call('/chat/completions', chat())).status, 200);
    },
  };
}

const PROVIDER_FAULTS: readonly (readonly [ProviderFault, number])[] = [
  ['refuse', 502],
  ['reset', 502],
  ['stall', 504],
  ['half', 502],
  ['not-json', 502],
  ['not-http', 502],
  ['slow', 504],
];

export async function newestDelivery({
  owner,
}: FaultsTestStack): Promise<Record<string, unknown> | undefined> {
  const list = await owner.call<{ deliveries: Record<string, unknown>[] }>(
    'GET',
    '/webhook-deliveries?limit=1',
  );
  return list.body.deliveries[0];
}

/**
 * A block gets its response immediately; its webhook waits, says why, and is delivered when the endpoint works again.
 */
function receiverRow(name: string, begin: (testStack: FaultsTestStack) => void, reason: RegExp): Row {
  const attempts = 'gateway_webhook_attempt_duration_seconds_count{status="pending"}';
  let blocked: Answered;
  return {
    name: `the webhook receiver ${name}`,
    async during(testStack) {
      const value = await testStack.metric(attempts);
      begin(testStack);
      blocked = await testStack.call('/chat/completions', chat(ATTACK), testStack.keys.reported);
      assert.equal(blocked.code, 'request_blocked', blocked.text);
      const delivery = await until(
        () => newestDelivery(testStack),
        (newest) => newest?.['attempts'] === 1,
      );
      assert.equal(delivery?.['status'], 'pending');
      assert.match(String(delivery?.['last_error']), reason);
      assert.equal(await testStack.metric(attempts), value + 1, 'metrics count it');
    },
    async afterwards(testStack) {
      testStack.receiver.answer((response) => response.writeHead(200).end());
      await testStack.advance(MINUTE);
      const delivery = await until(
        () => newestDelivery(testStack),
        (newest) => newest?.['status'] === 'delivered',
      );
      assert.equal(delivery?.['attempts'], 2);
      const eventId = blocked.headers.get('x-service-event-id');
      assert.ok(
        testStack.receiver.received.some(({ body }) => body.data['event_id'] === eventId),
        'it is the blocked event',
      );
    },
  };
}

export const POLICY_ERRORS = 'gateway_policy_webhook_duration_seconds_count{outcome="error"}';

/** The fail mode of each project decides, and a repaired endpoint is called again. */
function policyRow(name: string, begin: (testStack: FaultsTestStack) => void): Row {
  return {
    name: `the policy endpoint ${name}`,
    async during(testStack) {
      const value = await testStack.metric(POLICY_ERRORS);
      begin(testStack);
      const [open, closed] = await Promise.all([
        inParallel(10, () => testStack.call('/security/scan', { content: 'hello' }, testStack.keys.open)),
        inParallel(10, () => testStack.call('/security/scan', { content: 'hello' }, testStack.keys.closed)),
      ]);
      assert.deepEqual(new Set(open.map(({ body }) => body['decision'])), new Set(['allow']));
      assert.deepEqual(new Set(closed.map(({ body }) => body['decision'])), new Set(['block']));
      assert.match(String(closed[0]?.body['reason']), /did not respond/);
      const attack = await testStack.call('/security/scan', { content: ATTACK }, testStack.keys.open);
      assert.equal(attack.body['decision'], 'block', 'the engine’s own verdict still applies');
      assert.ok((await testStack.metric(POLICY_ERRORS)) > value, 'metrics count it');
    },
    async afterwards(testStack) {
      testStack.policy.answer((response) => response.writeHead(200).end('{"verdict":"allow"}'));
      // After a failure the endpoint is not called for half a minute; on a busy computer it takes its time to answer.
      await testStack.renewPolicy(10_000);
      const again = await testStack.call('/security/scan', { content: 'hello' }, testStack.keys.closed);
      assert.equal(again.body['decision'], 'allow', again.text);
      await testStack.renewPolicy();
    },
  };
}

/**
 * A request that causes an email gets its response immediately; the email waits, and is sent once when the server works
 * again.
 */
function mailRow(fate: 'later' | 'hang'): Row {
  const attempts = 'gateway_mail_attempts_total{status="pending"}';
  let received = 0;
  return {
    name: `the mail server ${fate === 'later' ? 'greylists' : 'hangs'}`,
    async during(testStack) {
      received = testStack.mail.received.length;
      const emailCount = testStack.mail.asked;
      const value = await testStack.metric(attempts);
      testStack.mail.fate = fate;
      const forgot = await testStack.owner.call('POST', '/password/forgot', { email: OWNER });
      assert.ok(forgot.status < 300, JSON.stringify(forgot.body));
      // A hung server may keep the email for any length of time.
      await until(
        async () =>
          fate === 'hang' ? testStack.mail.asked - emailCount : (await testStack.metric(attempts)) - value,
        (count) => count === 1,
      );
      assert.equal(testStack.mail.received.length, received);
    },
    async afterwards(testStack) {
      testStack.mail.fate = 'take';
      testStack.mail.drop();
      await testStack.advance(2 * MINUTE);
      await testStack.mail.waitFor(received + 1);
      await until(
        () => testStack.owner.call<{ mails: { status: string }[] }>('GET', '/mails'),
        ({ body }) => body.mails[0]?.status === 'sent',
      );
      assert.equal(testStack.mail.received.length, received + 1, 'once');
    },
  };
}

export const browser = findBrowser(undefined, process.env['PATH'] ?? '');

/** A page that is being rendered ends with an error; the next one is rendered by a new browser. */
function browserRow(name: string, signal: NodeJS.Signals, codes: readonly string[]): Row {
  const page = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    // The page keeps loading for as long as possible.
    if (request.url === '/slow') response.write('<h1>Tea</h1>');
    else response.end('<h1>Menu of the day</h1>');
  });
  const scrape = ({ call }: FaultsTestStack, path: string) =>
    call('/scrape', {
      url: `http://127.0.0.1:${(page.address() as AddressInfo).port}${path}`,
      render_js: true,
      timeout: 10,
    });
  return {
    name: `Chromium ${name}`,
    skip: browser === null ? 'no Chromium here' : false,
    async during(testStack) {
      await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
      const asked = new Promise((resolve) => page.once('request', resolve));
      const answer = scrape(testStack, '/slow');
      await asked;
      const pid = childOf(testStack.gateway.child.pid ?? 0, 'chrom');
      assert.ok(pid !== undefined, 'there is a browser to kill');
      process.kill(pid, signal);
      const ended = await answer;
      assert.ok(codes.includes(ended.code ?? ''), `${ended.status} ${ended.text}`);
    },
    async afterwards(testStack) {
      const next = await until(
        () => scrape(testStack, '/menu'),
        ({ status }) => status === 200,
      );
      assert.match(String(next.body['content']), /Menu of the day/);
      page.closeAllConnections();
      page.close();
    },
  };
}

/** The clock is changed: requests before and after get their responses and are recorded. */
function clockRow(name: string, ms: number): Row {
  const sends = (testStack: FaultsTestStack) => testStack.receiver.received.length;
  return {
    name: `the clock is set ${name}`,
    async during(testStack) {
      const before = sends(testStack);
      await testStack.advance(ms);
      const blocked = await testStack.call('/chat/completions', chat(ATTACK), testStack.keys.reported);
      assert.equal(blocked.code, 'request_blocked');
      await testStack.receiver.until(before + 1);
      assert.equal((await testStack.owner.whoAmI()).status, 200, 'people stay signed in');
      assert.equal((await testStack.owner.call('GET', '/audit-log?limit=5')).status, 200);
    },
    async afterwards(testStack) {
      const before = sends(testStack);
      await testStack.advance(-ms);
      await testStack.call('/chat/completions', chat(ATTACK), testStack.keys.reported);
      await testStack.receiver.until(before + 1);
      const verified = await testStack.owner.call<{ valid: boolean }>('POST', '/audit-log/verify-chain', {});
      assert.equal(verified.body.valid, true, JSON.stringify(verified.body));
    },
  };
}

export const ROWS: readonly Row[] = [
  ...PROVIDER_FAULTS.map(([fault, status]) =>
    providerRow(fault, ({ testProvider }) => testProvider.fault(fault), status),
  ),
  providerRow(
    'answers 500',
    ({ testProvider }) => testProvider.answer({ status: 500, body: '<html>oops' }),
    500,
  ),
  receiverRow(
    'answers 500',
    ({ receiver }) => receiver.answer((response) => response.writeHead(500).end()),
    /responded with 500/,
  ),
  receiverRow(
    'redirects',
    ({ receiver }) =>
      receiver.answer((response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
    /Redirects are not followed/,
  ),
  receiverRow(
    'is down',
    ({ receiver }) => receiver.answer((response) => response.destroy()),
    /closed the connection/,
  ),
  receiverRow('never answers', ({ receiver }) => receiver.answer(() => {}), /did not respond within/),
  policyRow('is down', ({ policy }) => policy.answer((response) => response.destroy())),
  policyRow('never answers', ({ policy }) => policy.answer(() => {})),
  policyRow('answers garbage', ({ policy }) => policy.answer((response) => response.end('{"verdict":'))),
  mailRow('later'),
  mailRow('hang'),
  browserRow('is killed', 'SIGKILL', ['page_unreachable', 'page_timeout', 'page_not_supported']),
  browserRow('hangs', 'SIGSTOP', ['page_timeout']),
  clockRow('forward by an hour', HOUR),
  clockRow('back by an hour', -HOUR),
];
