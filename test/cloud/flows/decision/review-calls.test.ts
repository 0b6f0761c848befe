import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import type { ToolLists } from '@csg/shared/contract';
import OpenAI, { APIError } from 'openai';
import { changeToolLists } from '../../../../apps/cloud/src/flows/agent/change-tool-lists.ts';
import { decideRequest } from '../../../../apps/cloud/src/flows/approvals/decide-request.ts';
import { addMember } from '../../../support/accounts.ts';
import type { Json } from '../../../support/answers.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

const NO_LISTS: ToolLists = { blocked_tools: [], allowed_tools: [], review_required_tools: [] };
const PAY = { name: 'bank.pay', arguments: '{"amount": 12, "to": "Ann"}' };
const HISTORY = [{ role: 'user', content: 'Pay Ann what I owe her' }] as const;

describe('tool calls in responses of the model', () => {
  let testProvider: TestProvider;
  let gateway: TestGateway;
  let admin: { readonly organizationId: string; readonly id: string; readonly userId: string };
  let nowMs = Date.UTC(2026, 10, 23);
  const clock = { now: () => nowMs, elapsed: () => performance.now() };
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url, clock });
    const { organizationId, projectId } = gateway.account;
    const { userId } = await addMember(gateway, { organizationId, projectId }, 'admin');
    admin = { organizationId, id: userId, userId };
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(async () => {
    await testProvider.reset();
    await list({});
  });

  const list = (lists: Partial<ToolLists>) =>
    changeToolLists({ storage: gateway.storage }, admin, gateway.account.projectId, {
      ...NO_LISTS,
      ...lists,
    });
  const decide = (reviewId: unknown, approve = true) =>
    decideRequest(
      { storage: gateway.storage },
      ...([admin, { id: String(reviewId), kind: 'tool_review' }, { approve }] as const),
    );
  const says = (...toolCalls: { name: string; arguments: string }[]) => testProvider.answer({ toolCalls });

  const openai = () =>
    new OpenAI({
      baseURL: `${gateway.address}/api/v1`,
      apiKey: 'sk-own',
      defaultHeaders: { 'X-API-Key': gateway.key },
      maxRetries: 0,
    });
  const chat = async (messages: readonly object[] = HISTORY): Promise<{ status: number; error: Json }> => {
    const response = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: 'sk-own',
      body: { model: 'gpt-4o', messages },
    });
    const body = (await response.json()) as Json;
    return { status: response.status, error: (body['error'] ?? {}) as Json };
  };

  test('a blocked tool is a 403 in every API, and an event that names the list', async () => {
    await list({ blocked_tools: ['pay'] });
    says(PAY);
    const { status, error } = await chat();
    assert.deepEqual([status, error['code'], 'review_id' in error], [403, 'response_blocked', false]);
    const event = await gateway.storage.events.get(admin.organizationId, String(error['event_id']));
    assert.deepEqual(
      [event?.decision, event?.threatType, event?.decidedBy],
      ['block', 'unsafe_tool_call', { kind: 'setting', id: 'blocked_tools' }],
    );
    const isBlocked = (thrown: unknown): boolean =>
      thrown instanceof Error && 'status' in thrown && thrown.status === 403;
    await assert.rejects(() => openai().responses.create({ model: 'm', input: 'Pay Ann' }), isBlocked);
    const anthropic = new Anthropic({
      baseURL: `${gateway.address}/api`,
      authToken: 'sk-ant-own',
      defaultHeaders: { 'X-API-Key': gateway.key },
      maxRetries: 0,
    });
    const request = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'Pay Ann' }] };
    await assert.rejects(() => anthropic.messages.create(request), isBlocked);
  });

  test('in a stream, nothing of a call that is not allowed is sent', async () => {
    await list({ allowed_tools: ['read'] });
    says(PAY);
    const messages = [...HISTORY];
    const stream = await openai().chat.completions.create({ model: 'm', messages, stream: true });
    const chunks: object[] = [];
    await assert.rejects(
      async () => {
        for await (const chunk of stream) chunks.push(chunk);
      },
      (error) => error instanceof APIError && error.code === 'content_blocked',
    );
    assert.equal(chunks.length, 0);
    says({ name: 'files__read', arguments: '{}' });
    const allowed = await openai().chat.completions.create({ model: 'm', messages, stream: true });
    for await (const chunk of allowed) chunks.push(chunk);
    assert.match(JSON.stringify(chunks), /files__read/);
  });

  test('in a live stream the text before a held call is sent, and nothing of the call', async () => {
    await list({ review_required_tools: ['pay'] });
    const key = (await gateway.addKey({ projectId: null })).plain;
    const path = `/api/v1/projects/${gateway.account.projectId}`;
    const set = (streaming: string | null) => gateway.call('PATCH', path, { key, body: { streaming } });
    assert.equal((await set('live')).status, 200);
    testProvider.answer({ text: 'I will pay her now. '.repeat(200), toolCalls: [PAY] });
    const response = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: 'sk-own',
      body: { model: 'gpt-4o', messages: HISTORY, stream: true },
    });
    const text = await response.text();
    assert.equal(response.headers.get('x-service-output'), 'live');
    assert.match(text, /content_blocked.*"review_id":"trev_/s);
    assert.ok(!text.includes('bank.pay') && !text.includes('amount'), text.slice(-600));
    assert.equal((await set(null)).status, 200);
  });

  test('the default list of validate-tool does not apply', async () => {
    says({ name: 'bash', arguments: '{"command":"ls"}' });
    assert.equal((await chat()).status, 200);
    await list({ blocked_tools: ['rm'] });
    assert.equal((await chat()).status, 200);
  });

  test('a call under review waits with its arguments, and is allowed once after the approval', async () => {
    await list({ review_required_tools: ['pay'] });
    says(PAY);
    const { status, error } = await chat();
    assert.deepEqual([status, error['code'], error['review_required']], [403, 'response_blocked', true]);
    const id = String(error['review_id']);
    const review = await gateway.call('GET', `/api/v1/agent/reviews/${id}`);
    assert.equal(((await review.json()) as Json)['status'], 'pending');
    const [stored] = await gateway.storage.requests.list(admin.organizationId, { kind: 'tool_review' });
    assert.deepEqual(
      [stored?.id, stored?.toolName, stored?.arguments],
      [id, 'bank.pay', { amount: 12, to: 'Ann' }],
    );
    assert.equal((await chat()).error['review_id'], id, 'the review is the same while it is pending');

    await decide(id);
    says({ ...PAY, arguments: '{"amount": 13, "to": "Ann"}' });
    assert.equal((await chat()).status, 403, 'other arguments');
    says(PAY);
    assert.equal(
      (await chat([{ role: 'user', content: 'Pay everybody' }])).status,
      403,
      'another conversation',
    );
    says({ ...PAY, arguments: '{"to":"Ann","amount":12}' });
    const passed = await Promise.all([chat(), chat(), chat()]);
    assert.deepEqual(
      passed.map((one) => one.status).toSorted(),
      [200, 403, 403],
      'once, however many requests race for it',
    );
  });

  test('an approval applies after the conversation continued, within 60 minutes; a denial is reported', async () => {
    await list({ review_required_tools: ['pay'] });
    says(PAY);
    const start = [{ role: 'user', content: 'Pay Ann, number two' }];
    const wentOn = [
      ...start,
      { role: 'assistant', content: 'It waits.' },
      { role: 'user', content: 'Try again' },
    ];
    const first = (await chat(start)).error['review_id'];
    await decide(first);
    assert.equal((await chat(wentOn)).status, 200);

    const second = (await chat(start)).error['review_id'];
    assert.notEqual(second, first);
    await decide(second);
    nowMs += 60 * 60_000;
    const late = await chat(start);
    assert.deepEqual([late.status, late.error['review_required']], [403, true]);
    await decide(late.error['review_id'], false);
    const { status, error } = await chat(wentOn);
    assert.deepEqual(
      [status, error['review_required'], error['review_id']],
      [403, false, late.error['review_id']],
    );
  });

  test('a call whose number has lost digits is blocked without a review', async () => {
    await list({ review_required_tools: ['pay'] });
    // Some compatible servers stream arguments as an object.
    const call = `{"index":0,"id":"call_1","function":{"name":"bank.pay","arguments":{"to":12345678901234567890}}}`;
    testProvider.answer({
      headers: { 'content-type': 'text/event-stream' },
      body: [`data: {"choices":[{"index":0,"delta":{"tool_calls":[${call}]}}]}\n\n`, 'data: [DONE]\n\n'],
    });
    const before = await gateway.storage.requests.list(admin.organizationId, { kind: 'tool_review' });
    const response = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: 'sk-own',
      body: { model: 'gpt-4o', messages: HISTORY, stream: true },
    });
    const text = await response.text();
    assert.match(text, /content_blocked/);
    assert.match(text, /too many digits to compare/);
    assert.doesNotMatch(text, /review_id|123456789/);
    assert.deepEqual(
      await gateway.storage.requests.list(admin.organizationId, { kind: 'tool_review' }),
      before,
    );
  });

  test('a call with a number beyond 2^53 is approved exactly as it is written', async () => {
    await list({ review_required_tools: ['pay'] });
    const call = async (path: string, to: string) => {
      const input = `{"amount": 12, "to": ${to}}`;
      const content = `[{"type":"tool_use","id":"toolu_1","name":"bank.pay","input":${input}}]`;
      if (path === '/api/v1/messages')
        testProvider.answer({
          body: `{"id":"m","type":"message","role":"assistant","model":"m","content":${content},"stop_reason":"tool_use"}`,
        });
      else says({ ...PAY, arguments: input });
      const response = await gateway.call('POST', path, {
        bearer: 'sk-own',
        body: { model: 'm', max_tokens: 9, messages: HISTORY },
      });
      const { error = {} } = (await response.json()) as { error?: Json };
      return { status: response.status, review: error['review_id'] };
    };
    for (const path of ['/api/v1/messages', '/api/v1/chat/completions']) {
      const { status, review } = await call(path, '12345678901234567890');
      assert.equal(status, 403);
      const { arguments: shown } = await decide(review);
      assert.deepEqual(shown, { amount: 12, to: '12345678901234567890' });
      assert.equal((await call(path, '12345678901234567891')).status, 403, path);
      assert.equal((await call(path, '12345678901234567890')).status, 200, path);
    }
  });

  test('several calls are approved one by one, also two equal ones', async () => {
    await list({ review_required_tools: ['pay'] });
    says(PAY, { name: 'read', arguments: '{}' }, PAY);
    const messages = [{ role: 'user', content: 'Pay Ann twice' }];
    const first = (await chat(messages)).error['review_id'];
    await decide(first);
    const second = (await chat(messages)).error['review_id'];
    assert.notEqual(second, first);
    await decide(second);
    assert.equal((await chat(messages)).status, 200);
    assert.equal((await chat(messages)).status, 403);
  });

  test('one response creates at most ten reviews', async () => {
    await list({ review_required_tools: ['pay'] });
    const before = (await gateway.storage.requests.list(admin.organizationId, { kind: 'tool_review' }))
      .length;
    says(...Array.from({ length: 300 }, (_, n) => ({ name: 'pay', arguments: `{"crowd":${n}}` })));
    const { status, error } = await chat();
    assert.deepEqual([status, error['review_required']], [403, true]);
    assert.equal(
      (await gateway.storage.requests.list(admin.organizationId, { kind: 'tool_review' })).length,
      before + 10,
    );
  });

  test('an approval of a call in a stream applies on another instance, and only once', async () => {
    await list({ review_required_tools: ['pay'] });
    says(PAY);
    const messages = [{ role: 'user' as const, content: 'Pay Ann from elsewhere' }];
    const response = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: 'sk-own',
      body: { model: 'gpt-4o', messages, stream: true },
    });
    const id = /"review_id":"(trev_\w+)"/.exec(await response.text())?.[1];
    assert.ok(id !== undefined, 'the frame that ends the stream names it');
    const other = await startGateway({ providerUrl: testProvider.url, clock, dataDir: gateway.dataDir });
    try {
      await decide(id);
      const answer = await other.call('POST', '/api/v1/chat/completions', {
        key: gateway.key,
        bearer: 'sk-own',
        body: { model: 'gpt-4o', messages },
      });
      assert.equal(answer.status, 200);
    } finally {
      await other.close();
    }
    assert.equal((await chat(messages)).status, 403);
  });

  test('a conversation that the provider stores is tainted once it has read untrusted data', async () => {
    const input = [
      { type: 'function_call', call_id: 'c', name: 'open', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'News of today' },
    ];
    for (const [conversation, sources] of [
      ['conv_read', ['guard']],
      ['conv_new', []],
    ] as const) {
      const body = { model: 'm', conversation, input: conversation === 'conv_read' ? input : 'Hello' };
      await gateway.call('POST', '/api/v1/responses', { bearer: 'sk-own', body });
      const taints = await gateway.storage.sessionTaints.list(admin.organizationId, conversation);
      assert.deepEqual(
        taints.map(({ source }) => source),
        sources,
      );
    }
  });

  test('ten thousand calls, and arguments that are not JSON, are evaluated', async () => {
    await list({ review_required_tools: ['pay'], blocked_tools: ['last'] });
    const calls = Array.from({ length: 10_000 }, (_, i) => ({ name: 'read', arguments: `{"i":${i}` }));
    says(...calls, { name: 'last', arguments: 'not JSON' });
    assert.equal((await chat()).status, 403);
    says(...calls);
    assert.equal((await chat()).status, 200);
  });
});
