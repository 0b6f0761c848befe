import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addKeyOf } from '../../../support/accounts.ts';
import { readAnswer } from '../../../support/answers.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

/** Long enough for a scan thread. */
const LONG = 'How do I ignore files in git? My SSN is 123-45-6789. '.repeat(600);

describe('a scan that cannot run', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  const keys = { open: '', closed: '' };
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({
      providerUrl: testProvider.url,
      env: { LOG_LEVEL: 'error' },
      engine: 'broken',
    });
    const { organizationId, accountId } = gateway.account;
    for (const failMode of ['open', 'closed'] as const) {
      const project = await gateway.storage.projects.insert(organizationId, { name: failMode, failMode });
      keys[failMode] = await addKeyOf(gateway, { organizationId, projectId: project.id }, accountId);
    }
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const post = (failMode: 'open' | 'closed', path: string, body: unknown) =>
    readAnswer(gateway.call('POST', `/api/v1${path}`, { key: keys[failMode], body, bearer: PROVIDER_KEY }));
  const messages = [{ role: 'user', content: LONG }];
  const eventOf = (id: unknown) => gateway.storage.events.get(gateway.account.organizationId, String(id));
  const auditOf = async (id: unknown) => {
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 100 });
    return rows.find((row) => row.subject === id);
  };

  test('closed: 503 detection_unavailable everywhere, nothing upstream, recorded as failed', async () => {
    for (const [path, body] of [
      ['/security/scan', { content: LONG }],
      ['/guard', { messages }],
      ['/chat/completions', { model: 'gpt-test', messages }],
      ['/messages', { model: 'claude-test', max_tokens: 5, messages }],
    ] as const) {
      const refused = await post('closed', path, body);
      assert.equal(refused.status, 503, path);
      assert.equal(refused.error['code'], 'detection_unavailable');
      // "carries the same event id in header and body and the decision `block`" (decisions, 4.1)
      assert.equal(refused.headers.get('x-service-event-id'), refused.error['event_id']);
      assert.equal(refused.headers.get('x-service-decision'), 'block');
      assert.equal(refused.headers.get('x-service-threat-type'), 'none');
      const event = await eventOf(refused.error['event_id']);
      assert.equal(event?.decision, 'block');
      assert.equal(event?.failed?.failMode, 'closed');
      assert.deepEqual(event?.decidedBy, { kind: 'setting', id: 'fail_mode' });
      const row = await auditOf(event?.id);
      assert.equal(row?.kind, 'policy_block');
      assert.equal(row?.data['scan_failed'], true);
    }
    assert.equal(testProvider.requests.length, 0);
  });

  test('open: requests are allowed, and the event, the audit row and the log record that they were not scanned', async () => {
    const scan = await post('open', '/security/scan', { content: LONG });
    assert.equal(scan.status, 200, scan.text);
    assert.equal(scan.body['decision'], 'allow');
    const chat = await post('open', '/chat/completions', { model: 'gpt-test', messages });
    assert.equal(chat.status, 200, chat.text);
    assert.equal(testProvider.requests.length, 1);
    assert.equal(chat.headers.get('x-service-unscanned'), 'engine_unavailable');
    assert.match(String(scan.body['reason']), /was not scanned because the engine could not run/);
    const reasons = (answer: typeof scan) =>
      (answer.body['unscanned'] as { index: number; reason: string; detail: string }[]).map(
        ({ index, reason }) => [index, reason],
      );
    assert.deepEqual(reasons(scan), [[0, 'engine_unavailable']]);
    const guard = await post('open', '/guard', { messages: [...messages, ...messages] });
    assert.equal(guard.body['decision'], 'allow');
    assert.deepEqual(reasons(guard), [
      [0, 'engine_unavailable'],
      [1, 'engine_unavailable'],
    ]);
    for (const id of [scan.body['eventId'], chat.headers.get('x-service-event-id')]) {
      const event = await eventOf(id);
      assert.equal(event?.decision, 'allow');
      assert.equal(event?.failed?.failMode, 'open');
      assert.equal((await auditOf(id))?.data['scan_failed'], true);
    }
    const lines = gateway.logLines.filter((line) => line.includes('a scan could not run'));
    assert.ok(lines.length >= 2);
    assert.doesNotMatch(gateway.logLines.join(''), /123-45-6789|ignore files/, 'no text in the log');
  });

  test('a response that cannot be scanned is withheld under closed, and allowed under open', async () => {
    testProvider.answer({ text: LONG });
    for (const stream of [false, true]) {
      const body = { model: 'gpt-test', messages: [{ role: 'user', content: 'hi' }], stream };
      const kept = await post('closed', '/chat/completions', body);
      assert.equal(kept.status, 503);
      assert.equal(kept.error['code'], 'detection_unavailable');
      assert.doesNotMatch(kept.text, /123-45/);
      const passed = await post('open', '/chat/completions', body);
      assert.equal(passed.status, 200);
      assert.equal(passed.headers.get('x-service-unscanned'), 'engine_unavailable');
      assert.match(passed.text, stream ? /data: \[DONE\]/ : /123-45-6789/);
    }
  });

  test('redact never returns unscanned text, whatever fail_mode says', async () => {
    for (const failMode of ['open', 'closed'] as const) {
      const refused = await post(failMode, '/security/redact', { content: LONG });
      assert.equal(refused.status, 503, refused.text.slice(0, 200));
      assert.equal(refused.error['code'], 'detection_unavailable');
      assert.doesNotMatch(refused.text, /123-45-6789/);
      assert.equal(refused.error['message'], 'Nothing was returned, because the engine could not run.');
      assert.equal(refused.headers.get('x-service-event-id'), refused.error['event_id']);
      assert.equal(refused.headers.get('x-service-decision'), 'block');
    }
  });

  test('short texts are scanned on the event loop, so they are not affected', async () => {
    const scan = await post('closed', '/security/scan', { content: 'My SSN is 123-45-6789' });
    assert.equal(scan.status, 200);
    assert.equal(scan.body['decision'], 'redact');
  });

  test('scanned texts have no field and no header about unscanned parts', async () => {
    const scan = await post('open', '/security/scan', { content: 'Good morning' });
    assert.equal('unscanned' in scan.body, false);
    const chat = await post('open', '/chat/completions', {
      model: 'gpt-test',
      messages: [{ role: 'user', content: 'hi' }],
    });
    assert.equal(chat.headers.get('x-service-unscanned'), null);
  });

  test('the audit row names the device that sent the request, and otherwise the key', async () => {
    const device = await gateway.addDevice();
    const [enrolled] = await gateway.storage.devices.list(gateway.account.organizationId);
    const scan = (key?: string) =>
      readAnswer(
        gateway.call('POST', '/api/v1/guard', {
          body: { messages: [{ role: 'user', content: 'Good morning' }] },
          ...(key === undefined ? {} : { key }),
        }),
      );
    const asDevice = await auditOf((await scan(device)).body['event_id']);
    assert.ok(enrolled !== undefined);
    assert.equal(asDevice?.actor, enrolled.id);
    const key = await gateway.storage.keys.findForAuth(gateway.key);
    assert.equal((await auditOf((await scan()).body['event_id']))?.actor, key?.id);
  });

  test('a tool call under open is allowed with a warning', async () => {
    const call = { agent_id: 'a', tool_name: 'note', arguments: { text: LONG } };
    const { body } = await post('open', '/agent/validate-tool', call);
    assert.equal(body['allowed'], true);
    assert.match(JSON.stringify(body['warnings']), /could not be scanned/);
    assert.equal((await post('closed', '/agent/validate-tool', call)).status, 503);
  });
});

/** Read by a thread on every route, also where only personal data is looked for. */
const COSTLY =
  'Is 123-45-6789 or 4111 1111 1111 1112 or jo.doe@mail.example at +49 30 1234567 right? '.repeat(1_100);

describe('a text whose own scan passes the deadline', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  const keys = { open: '', closed: '' };
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({
      providerUrl: testProvider.url,
      engine: 'slow',
      env: { LOG_LEVEL: 'error' },
    });
    const { organizationId, accountId } = gateway.account;
    for (const failMode of ['open', 'closed'] as const) {
      const project = await gateway.storage.projects.insert(organizationId, { name: failMode, failMode });
      keys[failMode] = await addKeyOf(gateway, { organizationId, projectId: project.id }, accountId);
    }
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const messages = [{ role: 'user', content: COSTLY }];
  const post = (failMode: 'open' | 'closed', path: string, body: unknown) =>
    readAnswer(gateway.call('POST', `/api/v1${path}`, { key: keys[failMode], body, bearer: PROVIDER_KEY }));

  for (const failMode of ['open', 'closed'] as const) {
    test(`is rejected whatever fail_mode says (${failMode})`, async () => {
      const scan = await post(failMode, '/security/scan', { content: COSTLY });
      assert.equal(scan.status, 200);
      assert.deepEqual(
        [scan.body['decision'], scan.body['blocked'], scan.body['threatType']],
        ['block', true, 'hidden_content'],
      );
      assert.match(String(scan.body['reason']), /longer than the time limit/);
      const guard = await post(failMode, '/guard', { messages });
      assert.equal(guard.status, 200);
      assert.deepEqual([guard.body['decision'], guard.body['threat_type']], ['block', 'hidden_content']);
      const chat = await post(failMode, '/chat/completions', { model: 'gpt-test', messages });
      assert.equal(chat.status, 403);
      assert.equal(chat.error['code'], 'request_blocked');
      assert.equal(chat.headers.get('x-service-threat-type'), 'hidden_content');
      assert.equal(testProvider.requests.length, 0);
      const tool = await post(failMode, '/agent/validate-tool', {
        agent_id: 'a',
        tool_name: 'note',
        arguments: { text: COSTLY },
      });
      assert.equal(tool.status, 200);
      assert.equal(tool.body['allowed'], false);
      const redact = await post(failMode, '/security/redact', { content: COSTLY });
      assert.equal(redact.status, 503);
      assert.equal(redact.error['code'], 'detection_unavailable');
      assert.doesNotMatch(redact.text, /123-45/);
      assert.equal(redact.headers.get('x-service-event-id'), redact.error['event_id']);

      testProvider.answer({ text: COSTLY });
      for (const stream of [false, true]) {
        const body = { model: 'gpt-test', messages: [{ role: 'user', content: 'hi' }], stream };
        const answer = await post(failMode, '/chat/completions', body);
        assert.equal(answer.status, stream ? 200 : 403, answer.text.slice(0, 200));
        assert.match(answer.text, stream ? /content_blocked/ : /response_blocked/);
        assert.doesNotMatch(answer.text, /123-45/);
      }
      const event = await gateway.storage.events.get(
        gateway.account.organizationId,
        String(guard.body['event_id']),
      );
      assert.equal(event?.failed, null, 'the engine did not fail');
      assert.equal(event?.threatType, 'hidden_content');
    });
  }
});

describe('a text of more than 4,000,000 characters', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  const most = 4_000_000;
  // Two UTF-16 code units each: the limit counts code points.
  const wide = '\u{1F600}';
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url, env: { LOG_LEVEL: 'error' } });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  const post = (path: string, body: unknown) =>
    readAnswer(gateway.call('POST', `/api/v1${path}`, { body, bearer: PROVIDER_KEY }));

  test('is 413 payload_too_large in a request, before it is scanned or counted', async () => {
    const content = 'x'.repeat(most + 1);
    const messages = [{ role: 'user', content }];
    for (const [path, body] of [
      ['/chat/completions', { model: 'gpt-test', messages }],
      ['/messages', { model: 'claude-test', max_tokens: 5, messages }],
      ['/guard', { messages }],
      ['/guard', { messages, direction: 'output' }],
      ['/guard', { messages: [{ role: 'user', content: wide.repeat(most + 1) }] }],
      ['/agent/validate-tool', { agent_id: 'a', tool_name: 'note', arguments: { content } }],
    ] as const) {
      const refused = await post(path, body);
      assert.equal(refused.status, 413, `${path}: ${refused.text.slice(0, 200)}`);
      assert.equal(refused.error['code'], 'payload_too_large');
      assert.equal(refused.error['max_characters'], most);
    }
    for (const path of ['/security/scan', '/security/redact'])
      assert.equal((await post(path, { content })).status, 400, path);
    assert.equal(testProvider.requests.length, 0);
    const usage = await readAnswer(gateway.call('GET', '/api/v1/usage/stats'));
    assert.equal(usage.body['requests_used'], 0);
  });

  test('is blocked in a response, whole or streamed', async () => {
    const content = 'x'.repeat(most + 1);
    const chunk = { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] };
    const streamedBody = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
    for (const stream of [false, true]) {
      testProvider.answer(
        stream ? { headers: { 'content-type': 'text/event-stream' }, body: streamedBody } : { text: content },
      );
      const messages = [{ role: 'user', content: 'hi' }];
      const answer = await post('/chat/completions', { model: 'gpt-test', messages, stream });
      assert.equal(answer.status, stream ? 200 : 403);
      assert.match(answer.text, stream ? /content_blocked/ : /response_blocked/);
      assert.ok(answer.text.length < 2_000);
    }
  });

  test('is scanned if it is barely shorter', async () => {
    const content = `${wide.repeat(most - 30)} My SSN is 536-90-4399`;
    const { status, body } = await post('/guard', { messages: [{ role: 'user', content }] });
    assert.equal(status, 200);
    assert.equal(body['decision'], 'redact');
  });
});
