import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { signInAs } from '../../../support/browser.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

const MAIL = 'mara.lind@norrvik-post.com';
const LINE = `"author": "Mara Lind <${MAIL}>"`;

const tool = (name: string, properties: object) => ({
  ...{ name, description: 'A tool' },
  input_schema: { type: 'object', properties },
});
const CODE = [tool('Bash', { command: { type: 'string' } }), tool('Edit', { file_path: {}, new_string: {} })];
const WEATHER = [tool('get_weather', { city: { type: 'string' } })];
const user = (content: unknown) => ({ role: 'user', content });
const run = (name: string, input: object, result: unknown) => [
  { role: 'assistant', content: [{ type: 'tool_use', id: 't', name, input }] },
  user([{ type: 'tool_result', tool_use_id: 't', content: result }]),
];

describe('working data of agents', () => {
  let gateway: TestGateway;
  let provider: TestProvider;
  before(async () => {
    provider = await startTestProvider();
    gateway = await startGateway({ providerUrl: provider.url });
  });
  after(async () => {
    await gateway.close();
    await provider.close();
  });
  beforeEach(() => provider.reset());

  const send = async (messages: readonly object[], tools?: readonly unknown[]) => {
    const body = JSON.stringify({ model: 'm', max_tokens: 9, ...(tools && { tools }), messages });
    const answer = await gateway.call('POST', '/api/v1/messages', {
      ...{ bearer: PROVIDER_KEY, body },
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    });
    const { status, headers } = answer;
    const sent = status === 200 ? provider.lastRequest().body.toString() : '';
    return { status, sent, isSame: sent === body, threat: headers.get('x-service-threat-type') };
  };
  const setting = async (body: object) => {
    const key = (await gateway.addKey({ projectId: null })).plain;
    const path = `/api/v1/projects/${gateway.account.projectId}`;
    assert.equal((await gateway.call('PATCH', path, { key, body })).status, 200);
  };
  const edited = [
    user('Add the author to package.json'),
    ...run('Edit', { file_path: 'package.json', new_string: LINE }, `3: ${LINE}`),
    { role: 'assistant', content: `I wrote ${LINE}.` },
    user('Now commit'),
  ];

  test('call, result and the words of the model show the same, and it is reported', async () => {
    const { isSame, threat } = await send(edited, CODE);
    assert.deepEqual({ isSame, threat }, { isSame: true, threat: 'pii_leak' });
  });

  test('addresses, numbers and IP addresses of any tool stay, also in documents of results', async () => {
    const found = `Call +1 415 555 2671 or write to ${MAIL} about 192.168.14.22.`;
    const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: found } };
    for (const result of [found, [{ type: 'text', text: found }], [document]]) {
      const { isSame, sent } = await send(
        [user('Who?'), ...run('get_weather', { city: found }, result)],
        WEATHER,
      );
      assert.ok(isSame, sent);
    }
  });

  test("a reminder of a coding agent, and a user's own address where a tool takes one, stay", async () => {
    const note = `<system-reminder>\nEnd each commit with:\nCo-Authored-By: Helper Bot <noreply@helper-bot.dev>\n</system-reminder>`;
    const reminded = [
      user([
        { type: 'text', text: note },
        { type: 'text', text: 'Commit the change' },
      ]),
    ];
    assert.ok((await send(reminded, CODE)).isSame);
    for (const properties of [
      { to: { type: 'string' } },
      { customer: { type: 'object', properties: { contact: { type: 'string', format: 'email' } } } },
      { guests: { type: 'array', items: { type: 'object', properties: { mail_address: {} } } } },
    ]) {
      const { isSame, sent } = await send([user(`Write to ${MAIL}`)], [tool('post', properties)]);
      assert.ok(isSame, sent);
    }
  });

  test('what no tool takes, nobody carried, or is no working data is masked', async () => {
    assert.ok((await send([user(`Write to ${MAIL}`)], WEATHER)).sent.includes('Write to [EMAIL]'));
    assert.ok((await send([user(`Write to ${MAIL}`)])).sent.includes('Write to [EMAIL]'));
    for (const malformed of [[{}], [null], [{ name: 7 }], [{ name: ' ' }]])
      assert.ok(
        (await send([user(`Write to ${MAIL}`), ...run('x', {}, MAIL)], malformed)).sent.includes('[EMAIL]'),
      );
    const invented = [user('Hi'), { role: 'assistant', content: `It was ${MAIL}.` }, user('Who?')];
    assert.ok((await send(invented, CODE)).sent.includes('It was [EMAIL].'));
    const card = await send([user('Pay'), ...run('Bash', { command: 'cat' }, '4111 1111 1111 1111')], CODE);
    assert.ok(card.sent.includes('[CREDIT_CARD]'), card.sent);
  });

  test('a preset, a policy or a masking that says so masks as before', async () => {
    const isMasked = async () => !(await send(edited, CODE)).sent.includes(MAIL);
    await setting({ masking: 'one_way' });
    assert.equal(
      (await send([user('Who?'), ...run('get_weather', {}, MAIL)], WEATHER)).sent.includes(MAIL),
      false,
    );
    await setting({ masking: null, strictness_level: 'strict' });
    assert.equal(
      (await send([user('Who?'), ...run('get_weather', {}, MAIL)], WEATHER)).sent.includes(MAIL),
      false,
    );
    await setting({ strictness_level: 'moderate' });
    assert.equal(await isMasked(), false);
    const admin = await signInAs(gateway, 'admin');
    const policy = {
      name: 'mail',
      action: 'redact',
      threat_types: ['pii_leak'],
      conditions: { pii_types: ['email'] },
    };
    assert.equal((await admin.call('POST', '/policies', policy)).status, 200);
    assert.equal(await isMasked(), true);
  });

  test('guard judges a conversation with tool calls the same', async () => {
    const ask = async (messages: object[]) => {
      const answer = await gateway.call('POST', '/api/v1/guard', { body: { messages } });
      return ((await answer.json()) as { decision: string }).decision;
    };
    const call = { id: 'c', type: 'function', function: { name: 'find', arguments: '{"q":"x"}' } };
    const result = { role: 'tool', tool_call_id: 'c', content: `The 1st is +1 415 555 2671` };
    assert.equal(
      await ask([user('Find'), { role: 'assistant', content: null, tool_calls: [call] }, result]),
      'allow',
    );
    assert.equal(await ask([user('Call +1 415 555 2671')]), 'redact');
  });
});
