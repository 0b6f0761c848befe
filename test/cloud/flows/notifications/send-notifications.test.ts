import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notify } from '../../../../apps/cloud/src/flows/notifications/notify.ts';
import { sendNotifications } from '../../../../apps/cloud/src/flows/notifications/send-notifications.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

type Kind = 'mail' | 'webhook' | 'slack' | 'teams';
interface Sent {
  readonly url: string;
  readonly body: string;
  readonly event: string;
  readonly secrets: readonly string[];
}

async function openTargets(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { organizationId } = await env.addPerson();
  const sent: Sent[] = [];
  const network = { error: null as string | null };
  const sender = {
    send: async (request: Sent) => {
      sent.push(request);
      return { error: network.error };
    },
  };
  const add = (kind: Kind, change: object = {}) =>
    storage.notifications.insertTarget(organizationId, {
      ...{ kind, address: kind === 'mail' ? 'team@example.com' : `https://${kind}.example.com` },
      ...{ events: null, digest: null, quietHours: null, secret: null },
      ...change,
    });
  let keys = 0;
  const signal = async (
    text: string,
    event: 'request.waiting' | 'usage.alert' = 'request.waiting',
    key?: string,
  ) =>
    await notify(
      storage,
      organizationId,
      { event: event as never, key: key ?? `request.${keys++}`, text, data: { n: 1 } },
      clock.now(),
    );
  const run = () => sendNotifications({ storage, sender: sender as never, clock });
  const state = async (id: string) => {
    const target = await storage.notifications.getTarget(id);
    return [target?.lastError, target?.lastSentAtMs];
  };
  return { ...env, organizationId, sent, network, add, signal, run, state };
}

test('each target gets a message in its own form, once', async (t) => {
  const { clock, organizationId, sent, add, signal, run, state, emailsTo } = await openTargets(t);
  const targets = [
    await add('webhook', { secret: 'whsec_1' }),
    await add('slack'),
    await add('teams'),
    await add('mail'),
  ];
  await signal('<!channel> & you\nsecond line', 'request.waiting', 'request.1');
  await signal('again', 'request.waiting', 'request.1');
  await run();
  await run();
  assert.equal(sent.length, 3);
  const of = (kind: Kind) => sent.find(({ url }) => url === `https://${kind}.example.com`)!;
  assert.deepEqual(
    [of('webhook').event, of('webhook').secrets, of('slack').secrets],
    ['request.waiting', ['whsec_1'], []],
  );
  assert.deepEqual(JSON.parse(of('webhook').body), {
    ...{ event: 'request.waiting', text: '<!channel> & you\nsecond line', data: { n: 1 } },
    ...{ timestamp: new Date(clock.now()).toISOString(), organization_id: organizationId },
  });
  assert.deepEqual(JSON.parse(of('slack').body), { text: '&lt;!channel&gt; &amp; you\nsecond line' });
  const [card] = JSON.parse(of('teams').body).attachments;
  assert.deepEqual(card.content.body, [
    { type: 'TextBlock', text: '<!channel> & you\nsecond line', wrap: true },
  ]);
  const [email, ...others] = await emailsTo('team@example.com', organizationId);
  assert.deepEqual([email?.subject, others], ['Content Security Gateway: <!channel> & you', []]);
  for (const { id } of targets) assert.deepEqual(await state(id), [null, clock.now()]);
});

test('a target gets the events it subscribes to, with its digest as one message', async (t) => {
  const { clock, organizationId, sent, add, signal, run, emailsTo } = await openTargets(t);
  await add('webhook', { events: ['usage.alert'] });
  await add('slack', { digest: 'hourly' });
  await add('mail', { digest: 'hourly' });
  clock.advance(1);
  await signal('one');
  clock.advance(1);
  await signal('two', 'usage.alert');
  await run();
  assert.deepEqual(
    sent.map(({ url, event }) => [url, event]),
    [['https://webhook.example.com', 'usage.alert']],
  );
  clock.advance(3_600_000);
  await run();
  assert.deepEqual([sent[1]?.event, JSON.parse(sent[1]!.body)], ['digest', { text: 'one\ntwo' }]);
  const [email] = await emailsTo('team@example.com', organizationId);
  assert.equal(email?.subject, 'Content Security Gateway: one (and 1 more)');
});

test('more than twenty messages that are due are sent as one', async (t) => {
  const { sent, add, signal, run } = await openTargets(t);
  await add('webhook');
  for (let n = 0; n < 20; n++) await signal(`m${n}`);
  await run();
  assert.equal(sent.length, 20);
  for (let n = 0; n < 21; n++) await signal(`n${n}`);
  await run();
  assert.equal(sent.length, 21);
  const { event, notifications } = JSON.parse(sent[20]!.body);
  assert.deepEqual([event, notifications.length, notifications[0].data], ['digest', 21, { n: 1 }]);
});

test('a failed message is sent again after longer pauses, and given up after the fourth attempt', async (t) => {
  const { clock, sent, network, add, signal, run, state } = await openTargets(t);
  const { id } = await add('webhook');
  network.error = 'The server answered 500.';
  await signal('one');
  await run();
  assert.deepEqual(await state(id), ['The server answered 500.', null]);
  for (const [index, pauseMs] of [30_000, 120_000, 600_000].entries()) {
    clock.advance(pauseMs - 1);
    await run();
    assert.equal(sent.length, index + 1, `${pauseMs}`);
    clock.advance(1);
    await run();
    assert.equal(sent.length, index + 2, `${pauseMs}`);
  }
  network.error = null;
  clock.advance(3_600_000);
  await run();
  assert.equal(sent.length, 4);
  await signal('two');
  await run();
  assert.deepEqual([sent.length, await state(id)], [5, [null, clock.now()]]);
});

test('messages of a deleted target are not sent, and without targets nothing is noted', async (t) => {
  const { storage, organizationId, sent, add, signal, run } = await openTargets(t);
  await signal('early', 'request.waiting', 'request.early');
  assert.deepEqual(await storage.notifications.listMarks(organizationId), []);
  const { id } = await add('webhook');
  await signal('one');
  await storage.notifications.removeTarget(organizationId, id);
  await run();
  assert.deepEqual(sent, []);
});
