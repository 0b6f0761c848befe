import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notify } from '../../../../apps/cloud/src/flows/notifications/notify.ts';
import { sendNotifications } from '../../../../apps/cloud/src/flows/notifications/send-notifications.ts';
import { createEndpointClient } from '../../../../apps/cloud/src/webhooks/outbound/endpoint-client.ts';
import { createWebhookDispatcher } from '../../../../apps/cloud/src/webhooks/outbound/webhook-dispatcher.ts';
import { signBody } from '../../../../apps/cloud/src/webhooks/sign-body.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';
import { startReceiver } from '../../../support/receiver/receiver.ts';

type Kind = 'mail' | 'webhook' | 'slack' | 'teams';
const sender = createEndpointClient({ allowPrivate: true, timeoutMs: 60_000 });

async function openTargets(t: Parameters<typeof openAccountTestEnv>[0]) {
  const env = await openAccountTestEnv(t);
  const { storage, clock } = env;
  const { organizationId } = await env.addPerson();
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const { received } = receiver;
  const respondWith = (status: number) =>
    receiver.answer((response) => void response.writeHead(status).end());
  const add = (kind: Kind, change: object = {}) =>
    storage.endpoints.insert(organizationId, 'notification', {
      ...{ form: kind, url: kind === 'mail' ? 'team@example.com' : `${receiver.url}/${kind}` },
      ...{ isEnabled: true, events: null, digest: null, quietHours: null, secret: null },
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
  const log = { error: () => assert.fail('a message was not sent') };
  const run = async () => {
    await sendNotifications({ storage });
    // Of an endpoint, a few at once.
    for (let round = 0; round < 5; round++) {
      const dispatcher = createWebhookDispatcher({ storage, sender, clock, log });
      await dispatcher.poll();
      await dispatcher.close();
    }
  };
  const state = async (id: string) => {
    const target = await storage.endpoints.get(organizationId, id);
    return [target?.lastError, target?.lastSuccessAtMs];
  };
  return { ...env, organizationId, received, respondWith, add, signal, run, state };
}

test('each target gets a message in its own form, once', async (t) => {
  const { clock, organizationId, received, add, signal, run, state, emailsTo } = await openTargets(t);
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
  assert.equal(received.length, 3);
  const of = (kind: Kind) => received.find(({ path }) => path === `/hook/${kind}`)!;
  const signatureOf = (kind: Kind) => of(kind).headers['x-service-signature'];
  assert.equal(of('webhook').headers['x-service-event'], 'request.waiting');
  assert.deepEqual(
    [signatureOf('webhook'), signatureOf('slack')],
    [signBody(of('webhook').raw, 'whsec_1'), undefined],
  );
  assert.deepEqual(of('webhook').body, {
    ...{ event: 'request.waiting', text: '<!channel> & you\nsecond line', data: { n: 1 } },
    ...{ timestamp: new Date(clock.now()).toISOString(), organization_id: organizationId },
  });
  assert.deepEqual(of('slack').body, { text: '&lt;!channel&gt; &amp; you\nsecond line' });
  const [card] = of('teams').body['attachments'] as [{ content: { body: unknown } }];
  assert.deepEqual(card.content.body, [
    { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: '<!channel> & you\nsecond line' }] },
  ]);
  const [email, ...others] = await emailsTo('team@example.com', organizationId);
  assert.deepEqual([email?.subject, others], ['Content Security Gateway: <!channel> & you', []]);
  for (const { id } of targets) assert.deepEqual(await state(id), [null, clock.now()]);
});

test('a target gets the events it subscribes to, with its digest as one message', async (t) => {
  const { clock, organizationId, received, add, signal, run, emailsTo } = await openTargets(t);
  await add('webhook', { events: ['usage.alert'] });
  await add('slack', { digest: 'hourly' });
  await add('mail', { digest: 'hourly' });
  clock.advance(1);
  await signal('one');
  clock.advance(1);
  await signal('two', 'usage.alert');
  await run();
  assert.deepEqual(
    received.map(({ path, headers }) => [path, headers['x-service-event']]),
    [['/hook/webhook', 'usage.alert']],
  );
  clock.advance(3_600_000);
  await run();
  assert.deepEqual(
    [received[1]?.headers['x-service-event'], received[1]?.body],
    ['digest', { text: 'one\ntwo' }],
  );
  const [email] = await emailsTo('team@example.com', organizationId);
  assert.equal(email?.subject, 'Content Security Gateway: one (and 1 more)');
});

test('more than twenty messages that are due are sent as one', async (t) => {
  const { received, add, signal, run } = await openTargets(t);
  await add('webhook');
  for (let n = 0; n < 20; n++) await signal(`m${n}`);
  await run();
  assert.equal(received.length, 20);
  for (let n = 0; n < 21; n++) await signal(`n${n}`);
  await run();
  assert.equal(received.length, 21);
  const { event, notifications } = received[20]!.body as unknown as {
    readonly event: string;
    readonly notifications: readonly { readonly data: object }[];
  };
  assert.deepEqual([event, notifications.length, notifications[0]?.data], ['digest', 21, { n: 1 }]);
});

test('a failed message is sent again after longer pauses, and given up after the fourth attempt', async (t) => {
  const { clock, received, respondWith, add, signal, run, state } = await openTargets(t);
  const { id } = await add('webhook');
  respondWith(500);
  await signal('one');
  await run();
  assert.deepEqual(await state(id), ['The endpoint responded with 500.', null]);
  for (const [index, pauseMs] of [30_000, 120_000, 600_000].entries()) {
    clock.advance(pauseMs - 1);
    await run();
    assert.equal(received.length, index + 1, `${pauseMs}`);
    clock.advance(1);
    await run();
    assert.equal(received.length, index + 2, `${pauseMs}`);
  }
  respondWith(200);
  clock.advance(3_600_000);
  await run();
  assert.equal(received.length, 4);
  await signal('two');
  await run();
  assert.deepEqual([received.length, await state(id)], [5, [null, clock.now()]]);
});

test('messages of a deleted target are not sent, and without targets nothing is noted', async (t) => {
  const { storage, organizationId, received, add, signal, run } = await openTargets(t);
  await signal('early', 'request.waiting', 'request.early');
  assert.deepEqual(await storage.notifications.listMarks(organizationId), []);
  const { id } = await add('webhook');
  await signal('one');
  await storage.endpoints.remove(organizationId, id);
  await run();
  assert.deepEqual(received, []);
});
