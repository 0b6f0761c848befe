import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type {
  EndpointDelivery,
  EndpointDeliveryList,
  EndpointRecord,
  SavedEndpoint,
} from '@csg/shared/contract';
import { readAnswer } from '../../../support/answers.ts';
import { signInAs, type TestBrowser } from '../../../support/browser.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { type Receiver, startReceiver } from '../../../support/receiver/receiver.ts';
import { until } from '../../../support/until.ts';

const KINDS = ['webhook', 'policy', 'notification', 'audit'] as const;
const ALLOW = '{"verdict":"allow"}';
const plain = (response: ServerResponse) => void response.writeHead(200).end(ALLOW);
const HIDDEN = '/hook/T0B0/path-with-a-token';

describe('endpoints of every kind', () => {
  let gateway: TestGateway;
  let admin: TestBrowser;
  let receiver: Receiver;
  const ids = new Map<string, string>();
  const list = async (query = '') => (await admin.call<EndpointRecord[]>('GET', `/endpoints${query}`)).body;
  const of = async (kind: string) => (await list(`?kind=${kind}`))[0]!;
  const sendTest = async (kind: string) =>
    (await admin.call<EndpointDelivery>('POST', `/endpoints/${ids.get(kind)}/test`)).body;
  const deliveriesOf = async (kind: string) =>
    (await admin.call<EndpointDeliveryList>('GET', `/endpoints/${ids.get(kind)}/deliveries`)).body.deliveries;
  const scan = (content: string) => gateway.call('POST', '/api/v1/security/scan', { body: { content } });

  before(async () => {
    receiver = await startReceiver();
    receiver.answer(plain);
    gateway = await startGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    admin = await signInAs(gateway, 'admin');
    const url = new URL(HIDDEN, receiver.url).href;
    const path = `/projects/${gateway.account.projectId}`;
    await admin.call('POST', `${path}/webhooks`, { webhook_url: url, events: ['usage.overage'] });
    await admin.call('PATCH', `${path}/policy-webhook`, { url, enabled: true, timeout_ms: 10_000 });
    await admin.call('POST', '/notification-targets', { kind: 'webhook', address: url, events: ['quota'] });
    await admin.call('PUT', '/audit-log/target', { url });
    for (const { kind, id } of await list()) ids.set(kind, id);
  });
  after(async () => {
    await gateway.close();
    await receiver.close();
  });

  test('are one list, and say how they are called', async () => {
    assert.deepEqual([...ids.keys()].toSorted(), [...KINDS].toSorted());
    const rows = await Promise.all(KINDS.map(of));
    assert.deepEqual(
      rows.map(({ kind, synchronous, retries, signed, project_id: project }) => [
        ...[kind, synchronous, retries, signed, project !== null],
      ]),
      [
        ['webhook', false, 3, true, true],
        ['policy', true, 0, true, true],
        ['notification', false, 3, true, false],
        ['audit', false, 3, false, false],
      ],
    );
    const viewer = await signInAs(gateway, 'viewer');
    const seen = await viewer.call('GET', '/endpoints');
    assert.ok(!JSON.stringify(seen.body).includes(HIDDEN), 'only the host is shown');
    assert.equal((await viewer.call('POST', `/endpoints/${ids.get('audit')}/test`)).status, 403);
  });

  for (const kind of KINDS)
    test(`${kind}: a test is sent once, and its delivery names the endpoint`, async () => {
      receiver.received.length = 0;
      const sent = await sendTest(kind);
      assert.deepEqual(
        [sent.status, sent.kind, sent.endpoint_id, sent.attempts],
        [...['delivered', kind, ids.get(kind), 1]],
      );
      assert.equal(receiver.received.length, 1);
      const { headers } = receiver.received[0]!;
      assert.equal(headers['x-service-test'], 'true');
      assert.equal(headers['x-service-signature'] === undefined, kind === 'audit');
      assert.equal((await deliveriesOf(kind))[0]?.id, sent.id);
      const { succeeded, failed, last_success_at } = await of(kind);
      assert.deepEqual([succeeded, failed], [0, 0], 'tests are not counted');
      assert.notEqual(last_success_at, null);
    });

  for (const [name, answer, due] of [
    [
      'redirects',
      (response: ServerResponse) => void response.writeHead(302, { location: '/x' }).end(),
      /302/,
    ],
    ['fails', (response: ServerResponse) => void response.writeHead(500).end(), /500/],
    ['breaks off', (response: ServerResponse) => void response.destroy(), /closed the connection|reached/],
  ] as const)
    test(`an endpoint that ${name} is not followed or believed, whatever its kind`, async () => {
      receiver.answer(answer);
      receiver.received.length = 0;
      for (const kind of KINDS) {
        const sent = await sendTest(kind);
        assert.equal(sent.status, 'failed', kind);
        assert.match(sent.last_error ?? '', due, kind);
        assert.equal((await of(kind)).last_error, sent.last_error, kind);
      }
      assert.equal(receiver.received.length, KINDS.length, 'each is called once');
      receiver.answer(plain);
    });

  test('a 2xx with a lie counts where only the status is asked for, and not as a verdict', async () => {
    for (const [lie, isRead] of [
      ['<html>all is well</html>', false],
      ['{"verdict":"maybe"}', false],
      [ALLOW, true],
    ] as const) {
      receiver.answer((response) => void response.writeHead(200).end(lie));
      assert.equal((await sendTest('webhook')).status, 'delivered');
      assert.equal((await sendTest('policy')).status, isRead ? 'delivered' : 'failed', lie);
    }
    receiver.answer(plain);
  });

  test('a policy endpoint keeps counters, and its failures without the content', async () => {
    await scan('Hello');
    await until(
      async () => (await of('policy')).succeeded,
      (count) => count >= 1,
    );
    receiver.answer((response) => void response.writeHead(500).end());
    await scan('the plan of Heron');
    receiver.answer(plain);
    const [failed] = await deliveriesOf('policy');
    assert.deepEqual([failed?.status, failed?.is_test, failed?.response_status], ['failed', false, 500]);
    const { body } = await admin.call('GET', `/webhook-deliveries/${failed!.id}`);
    assert.ok(!JSON.stringify(body).includes('Heron'));
    const state = await of('policy');
    assert.deepEqual([state.failed, state.failures], [1, 1]);
    const retry = await admin.call('POST', `/webhook-deliveries/${failed!.id}/retry`);
    const replay = await admin.call('POST', `/endpoints/${ids.get('policy')}/replay`, {
      from: '2026-01-01T00:00:00Z',
    });
    assert.deepEqual([retry.status, replay.status], [409, 409]);
    const old = (await admin.call('GET', '/webhook-deliveries')).body;
    assert.ok(!JSON.stringify(old).includes(failed!.id), 'the list of before has what it had');
  });

  test('a paused policy endpoint is not asked, and is asked again when it is resumed', async () => {
    const pause = (paused: boolean) => admin.call('PATCH', `/endpoints/${ids.get('policy')}`, { paused });
    receiver.answer((response) => void response.writeHead(200).end('{"verdict":"block"}'));
    const decision = async () => (await readAnswer(scan('Hello'))).body['decision'];
    assert.equal((await pause(true)).status, 200);
    assert.equal((await of('policy')).paused, true);
    assert.equal(await decision(), 'allow');
    await pause(false);
    assert.equal(await decision(), 'block');
    receiver.answer(plain);
  });

  test('each kind is added, changed and removed by the same routes', async () => {
    const { projectId } = gateway.account;
    const at = (path: string) => new URL(path, receiver.url).href;
    const add = async (body: object) => await admin.call<SavedEndpoint>('POST', '/endpoints', body);
    const ofProject = { project_id: projectId, address: at('/first') };
    await admin.call('DELETE', `/endpoints/${ids.get('policy')}`);
    await admin.call('DELETE', `/endpoints/${ids.get('audit')}`);
    for (const [body, change, signs] of [
      [{ kind: 'webhook', ...ofProject, events: ['pii.redacted'] }, { events: null }, true],
      [{ kind: 'policy', ...ofProject, timeout_ms: 500 }, { fail_mode: 'closed', timeout_ms: 900 }, false],
      [
        { kind: 'notification', form: 'webhook', address: at('/first'), digest: 'daily' },
        { digest: null, quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' } },
        true,
      ],
      [{ kind: 'audit', address: at('/first') }, {}, false],
    ] as const) {
      const made = await add(body);
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const { id, kind } = made.body;
      assert.deepEqual([made.body.enabled, made.body.own_secret], [true, signs], kind);
      assert.equal(made.body.secret?.startsWith('whsec_') ?? false, signs, 'a secret is shown once');
      const wanted = { ...change, address: at('/second'), enabled: false };
      const changed = await admin.call<SavedEndpoint>('PATCH', `/endpoints/${id}`, wanted);
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      assert.partialDeepStrictEqual(changed.body, wanted);
      assert.partialDeepStrictEqual(
        (await list()).find((one) => one.id === id),
        wanted,
      );
      const rotated = await admin.call('POST', `/endpoints/${id}/secret`, { grace_minutes: 0 });
      assert.equal(rotated.status, signs ? 200 : 409, kind);
      assert.equal((await admin.call('DELETE', `/endpoints/${id}/secret`)).status, signs ? 204 : 404, kind);
      assert.equal((await admin.call('DELETE', `/endpoints/${id}`)).status, 204, kind);
      assert.equal((await admin.call('PATCH', `/endpoints/${id}`, wanted)).status, 404, kind);
    }
  });

  test('what a kind does not have is refused at its field, and so is a second one of its only one', async () => {
    const { projectId: project_id } = gateway.account;
    const address = receiver.url;
    for (const [body, field] of [
      [{ kind: 'webhook', address }, 'project_id'],
      [{ kind: 'audit', address, project_id }, 'project_id'],
      [{ kind: 'webhook', project_id, address: 'ftp://example.com/' }, 'address'],
      [{ kind: 'notification', form: 'mail', address: 'nobody' }, 'address'],
      [{ kind: 'webhook', project_id, address, events: ['quota'] }, 'events'],
      [{ kind: 'audit', address, events: ['quota'] }, 'events'],
      [{ kind: 'webhook', project_id, address, timeout_ms: 500 }, 'timeout_ms'],
      [
        { kind: 'notification', address, quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Mars/X' } },
        'quiet_hours',
      ],
    ] as const) {
      const refused = await admin.call('POST', '/endpoints', body);
      assert.equal(refused.status, 422, JSON.stringify(body));
      assert.ok(JSON.stringify(refused.body).includes(`"${field}"`), JSON.stringify(refused.body));
    }
    for (const body of [
      { kind: 'policy', project_id, address },
      { kind: 'audit', address },
    ]) {
      assert.equal((await admin.call('POST', '/endpoints', body)).status, 200);
      const second = await admin.call('POST', '/endpoints', body);
      assert.deepEqual([second.status, second.error['code']], [403, 'plan_limit_reached']);
    }
  });

  test("an admin of a project changes that project's endpoints only", async () => {
    const { projectId: project_id } = gateway.account;
    const person = await signInAs(gateway, 'member');
    await admin.call('PUT', `/projects/${project_id}/roles/${person.userId}`, { role: 'admin' });
    const body = { kind: 'webhook', project_id, address: new URL(HIDDEN, receiver.url).href };
    const made = await person.call<SavedEndpoint>('POST', '/endpoints', body);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.equal(made.body.address, body.address, 'whole');
    assert.equal((await person.call('DELETE', `/endpoints/${made.body.id}`)).status, 204);
    const target = (await list('?kind=notification'))[0]!;
    for (const [method, path, sent] of [
      ['POST', '', { kind: 'audit', address: receiver.url }],
      ['PATCH', `/${target.id}`, { paused: true }],
      ['POST', `/${target.id}/test`, undefined],
      ['DELETE', `/${target.id}`, undefined],
    ] as const) {
      assert.equal((await person.call(method, `/endpoints${path}`, sent)).status, 403, path);
    }
  });

  test('an endpoint of another organization, or none, is not found', async () => {
    for (const id of ['whk_none', 'pep_none'])
      for (const act of ['test', 'replay'])
        assert.equal(
          (await admin.call('POST', `/endpoints/${id}/${act}`, { from: '2026-01-01T00:00:00Z' })).status,
          404,
        );
  });
});
