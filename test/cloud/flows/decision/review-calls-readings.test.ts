import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import type { ToolLists } from '@csg/shared/contract';
import { changeToolLists } from '../../../../apps/cloud/src/flows/agent/change-tool-lists.ts';
import { decideRequest } from '../../../../apps/cloud/src/flows/approvals/decide-request.ts';
import { addMember } from '../../../support/accounts.ts';
import type { Json } from '../../../support/answers.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

const NO_LISTS: ToolLists = { blocked_tools: [], allowed_tools: [], review_required_tools: [] };
const tools = ['bash', 'note'].map((name) => ({ type: 'function', function: { name, parameters: {} } }));
const bash = { id: 'c', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } };
const note = { name: 'note', arguments: '{}' };

describe('calls that clients can read in several ways', () => {
  let testProvider: TestProvider;
  let gateway: TestGateway;
  let admin: { readonly organizationId: string; readonly id: string; readonly userId: string };
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    const { organizationId, projectId } = gateway.account;
    const { userId } = await addMember(gateway, { organizationId, projectId }, 'admin');
    admin = { organizationId, id: userId, userId };
    // Nothing listens there: the outbox has what is sent.
    const hook = { url: 'https://hooks.example.com/', isEnabled: true };
    await gateway.storage.endpoints.put(organizationId, 'webhook', projectId, hook);
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => list({}));

  const list = (lists: Partial<ToolLists>) =>
    changeToolLists({ storage: gateway.storage }, admin, gateway.account.projectId, {
      ...NO_LISTS,
      ...lists,
    });
  const says = (message: object, more: object = {}) =>
    testProvider.answer({
      body: JSON.stringify({
        ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', ...more },
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: { role: 'assistant', content: null, ...message },
          },
        ],
      }),
    });
  const chat = async (): Promise<{ status: number; error: Json }> => {
    const response = await gateway.call('POST', '/api/v1/chat/completions', {
      bearer: 'sk-own',
      body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'List the files' }], tools },
    });
    const body = (await response.json()) as Json;
    return { status: response.status, error: (body['error'] ?? {}) as Json };
  };
  const lastNotice = async (): Promise<string> => {
    const [last] = await gateway.storage.deliveries.list(admin.organizationId, { limit: 1 });
    return last?.payload ?? '';
  };

  test('are blocked if any reading is on the list', async () => {
    await list({ blocked_tools: ['bash'] });
    for (const message of [
      { function_call: note, tool_calls: [bash] },
      { type: 'message_result', tool_calls: [bash] },
      { tool_calls: [{ ...bash, type: 'custom', custom: { name: 'note', input: '' } }] },
    ]) {
      says(message, { type: 'x_output' });
      const { status, error } = await chat();
      assert.deepEqual([status, error['code']], [403, 'response_blocked'], JSON.stringify(message));
      assert.match(String(error['message']), /list of blocked tools/);
    }
  });

  test('are blocked in a project with a list, otherwise they pass and are reported', async () => {
    says({ tool_calls: [{ ...bash, custom: { name: 'note', input: '' } }] });
    const passed = await chat();
    assert.equal(passed.status, 200);
    assert.match(await lastNotice(), /threat\.detected.*read in two ways/);
    await list({ review_required_tools: ['other'] });
    const { status, error } = await chat();
    assert.deepEqual([status, error['code'], 'review_id' in error], [403, 'response_blocked', false]);
    assert.match(String(error['message']), /read in two ways/);
  });

  test('an approval covers what the client of the interface runs, and nothing else', async () => {
    await list({ review_required_tools: ['bash'] });
    const client = new Anthropic({
      ...{ apiKey: null, authToken: 'sk-ant-own', baseURL: `${gateway.address}/api`, maxRetries: 0 },
      defaultHeaders: { 'x-api-key': gateway.key },
    });
    const run = (block: object): Promise<Anthropic.Message> => {
      const content = [{ type: 'tool_use', id: 'tu', name: 'bash', ...block }];
      const usage = { input_tokens: 1, output_tokens: 1 };
      testProvider.answer({
        body: JSON.stringify({ id: 'm', type: 'message', role: 'assistant', model: 'm', content, usage }),
      });
      return client.messages.create({
        ...{ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'List the files' }] },
        tools: [{ name: 'bash', input_schema: { type: 'object' } }],
      });
    };
    const held = await run({ input: { command: 'ls' } }).catch((error: unknown) => error);
    const { error } = (held as { error: { error: Json } }).error;
    const id = String(error['review_id']);
    const review = await gateway.storage.requests.get(admin.organizationId, id, 'tool_review');
    assert.deepEqual(review?.arguments, { command: 'ls' });
    await decideRequest({ storage: gateway.storage }, ...([admin, { id }, { approve: true }] as const));
    const hidden = { arguments: { command: 'ls' }, input: { command: 'wipe-everything' } };
    await assert.rejects(run(hidden), { status: 403 });
    const [block] = (await run({ input: { command: 'ls' } })).content;
    assert.deepEqual(block?.type === 'tool_use' && block.input, { command: 'ls' });
  });
});
