/** One documented decision for each kind of bad tool call, the same in the answer and in the event. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ToolLists } from '@csg/shared/contract';
import { changeToolLists } from '../../apps/cloud/src/flows/agent/change-tool-lists.ts';
import type { SecurityEvent } from '../../apps/cloud/src/storage/model/events.ts';
import { addMember } from '../support/accounts.ts';
import { type Answer, readAnswer } from '../support/answers.ts';
import { plainForm } from '../support/calls/call-forms.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

const NO_LISTS: ToolLists = { blocked_tools: [], allowed_tools: [], review_required_tools: [] };
const SSN = ['536', '22', '1987'].join('-');
const messages = [{ role: 'user', content: 'List the files' }];

describe('bad tool calls', () => {
  let provider: TestProvider;
  let gateway: TestGateway;
  before(async () => {
    provider = await startTestProvider();
    gateway = await startGateway({ providerUrl: provider.url });
  });
  after(async () => {
    await gateway.close();
    await provider.close();
  });
  beforeEach(() => provider.reset());

  const list = (lists: Partial<ToolLists>) => setLists(gateway, lists);
  const ask = (body: object = {}): Promise<Answer> =>
    readAnswer(
      gateway.call('POST', '/api/v1/chat/completions', {
        bearer: 'sk-own',
        body: { model: 'gpt-4o', messages, ...body },
      }),
    );
  const expectEvent = (answer: Answer, expected: readonly [decision: string, threat: string | null]) =>
    assertEvent(gateway, answer, expected);

  test('a thousand in one message are all judged: one that is listed blocks the answer', async () => {
    await list({ blocked_tools: ['wipe'] });
    const calls = Array.from({ length: 1000 }, (_, at) => ({ name: 'read', arguments: `{"page":${at}}` }));
    provider.answer({ toolCalls: calls });
    assert.equal((await ask()).status, 200);
    provider.answer({ toolCalls: [...calls, { name: 'wipe', arguments: '{}' }] });
    for (const stream of [false, true]) {
      const blocked = await ask({ stream });
      assert.match(blocked.text, /list of blocked tools/);
      await expectEvent(blocked, ['block', 'unsafe_tool_call']);
    }
  });

  test('a name of 10,000 characters is compared as any other, and never recorded', async () => {
    const name = 'n'.repeat(10_000);
    provider.answer({ toolCalls: [{ name, arguments: '{}' }] });
    await list({ review_required_tools: ['other'] });
    const passed = await ask();
    assert.deepEqual([passed.status, passed.text.includes(name)], [200, true]);
    await list({ allowed_tools: ['read'] });
    const blocked = await ask();
    assert.deepEqual([blocked.status, blocked.text.includes('nnnn')], [403, false]);
    const event = await expectEvent(blocked, ['block', 'unsafe_tool_call']);
    assert.ok(!JSON.stringify(event).includes('nnnn'));
  });

  test('calls inside a call are judged, those inside its arguments are arguments', async () => {
    await list({ blocked_tools: ['wipe'] });
    const wipe = { id: 'b', type: 'function', function: { name: 'wipe', arguments: '{}' } };
    const read = (more: object) => ({ id: 'a', type: 'function', function: { name: 'read', ...more } });
    const says = (call: object) =>
      provider.answer({
        body: JSON.stringify({
          ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
          choices: [
            { index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', tool_calls: [call] } },
          ],
        }),
      });
    says(read({ arguments: JSON.stringify({ tool_calls: [wipe] }) }));
    assert.equal((await ask()).status, 200);
    says(read({ arguments: '{}', tool_calls: [wipe] }));
    await expectEvent(await ask(), ['block', 'unsafe_tool_call']);
  });

  test('JSON in JSON in JSON is read to its texts', async () => {
    await list({});
    let text = JSON.stringify({ note: `SSN ${SSN}` });
    for (let depth = 0; depth < 4; depth++) {
      provider.answer({ toolCalls: [{ name: 'save', arguments: text }] });
      const { findings } = await expectEvent(await ask(), ['redact', 'pii_leak']);
      // One for each text that holds it: the arguments as JSON, and each string in them that is JSON again.
      assert.deepEqual(
        findings.map(({ rule, role }) => [rule, role]),
        Array.from({ length: depth + 1 }, () => ['pii.ssn', 'tool_call']),
      );
      text = JSON.stringify({ inner: text });
    }
  });

  test('a block that a stream opens and never closes is judged with what arrived of it', async () => {
    const form = plainForm('messages', [{ name: 'wipe', arguments: '{"path":"/","force":true}' }], true);
    const cutAt = form.text.lastIndexOf('tr');
    const body = form.text.slice(0, form.text.lastIndexOf('event: content_block_delta', cutAt));
    provider.answer({ body, headers: { 'content-type': form.contentType } });
    const stream = () =>
      readAnswer(
        gateway.call('POST', '/api/v1/messages', {
          bearer: 'sk-ant-own',
          headers: { 'anthropic-version': '2023-06-01' },
          body: { model: 'm', max_tokens: 9, stream: true, messages },
        }),
      );
    await list({ blocked_tools: ['wipe'] });
    await expectEvent(await stream(), ['block', 'unsafe_tool_call']);
    await list({ review_required_tools: ['wipe'] });
    const held = await stream();
    await expectEvent(held, ['block', 'unsafe_tool_call']);
    const [id = ''] = /trev_\w+/.exec(held.text) ?? [];
    const review = await gateway.storage.requests.get(gateway.account.organizationId, id, 'tool_review');
    assert.deepEqual(review?.arguments, { path: '/' });
  });
});

describe('an engine that dies in the middle of a live stream', () => {
  let provider: TestProvider;
  let gateway: TestGateway;
  before(async () => {
    provider = await startTestProvider();
    // It reads the first part, and cannot start for what is longer.
    gateway = await startGateway({
      providerUrl: provider.url,
      engine: 'broken',
      env: { LOG_LEVEL: 'error' },
    });
    await setLists(gateway, { blocked_tools: ['wipe'] });
  });
  after(async () => {
    await gateway.close();
    await provider.close();
  });

  const text = 'The files are listed one by one, as you asked. '.repeat(600);
  const ask = async (failMode: 'open' | 'closed', name: string): Promise<Answer> => {
    const { plain: key } = await gateway.addKey({ projectId: null });
    const path = `/api/v1/projects/${gateway.account.projectId}`;
    const setting = { fail_mode: failMode, streaming: 'live' };
    assert.equal((await gateway.call('PATCH', path, { key, body: setting })).status, 200);
    provider.answer({ text, toolCalls: [{ name, arguments: '{}' }] });
    const body = { model: 'gpt-4o', messages, stream: true };
    return readAnswer(gateway.call('POST', '/api/v1/chat/completions', { bearer: 'sk-own', body }));
  };

  test('closed: the stream ends, and no call leaves', async () => {
    for (const name of ['wipe', 'read']) {
      const ended = await ask('closed', name);
      assert.deepEqual([ended.text.includes(' ask'), ended.text.includes(`"${name}"`)], [true, false]);
      assert.match(ended.text, /detection_unavailable/);
      const event = await assertEvent(gateway, ended, ['block', null]);
      assert.equal(event.failed?.failMode, 'closed');
    }
  });

  test('open: a call that is not listed leaves, a listed one does not', async () => {
    const passed = await ask('open', 'read');
    assert.ok(passed.text.includes('"read"'));
    const event = await assertEvent(gateway, passed, ['allow', null]);
    assert.equal(event.failed?.failMode, 'open');
    const blocked = await ask('open', 'wipe');
    assert.ok(!blocked.text.includes('"wipe"'));
    await assertEvent(gateway, blocked, ['block', 'unsafe_tool_call']);
  });
});

async function setLists(gateway: TestGateway, lists: Partial<ToolLists>): Promise<void> {
  const { organizationId, projectId } = gateway.account;
  const { userId } = await addMember(gateway, { organizationId, projectId }, 'admin');
  const admin = { organizationId, id: userId, userId };
  await changeToolLists({ storage: gateway.storage }, admin as never, projectId, { ...NO_LISTS, ...lists });
}

/** The event says what the answer says. */
async function assertEvent(
  { storage, account }: TestGateway,
  answer: Answer,
  [decision, threat]: readonly [decision: string, threat: string | null],
): Promise<SecurityEvent> {
  // The head of a live stream has the event of the request.
  const isLive = answer.headers.get('x-service-output') === 'live';
  const [id] = isLive
    ? (/evt_\w+(?!.*evt_)/s.exec(answer.text) ?? [])
    : [answer.headers.get('x-service-event-id')];
  const event = await storage.events.get(account.organizationId, String(id));
  assert.deepEqual([event?.decision, event?.threatType], [decision, threat], answer.text.slice(0, 300));
  return event!;
}
