import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Answer, readAnswer } from '../../../support/answers.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../../support/test-provider.ts';

const CODE = 'author = "Ana Lopez <ana.lopez@acme.com>"\nDB = "postgres://app:eyojnume@localhost:5432/app"';

describe('results of tools for files and commands under the use case `default`', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });
  beforeEach(() => testProvider.reset());

  const conversation = (tool: string, content: string) => [
    { role: 'user', content: 'Who wrote the settings?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: tool, arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content },
  ];
  async function forwarded(tool: string, content: string): Promise<string> {
    const body = JSON.stringify({ model: 'gpt-test', messages: conversation(tool, content) });
    const answer = await readAnswer(
      gateway.call('POST', '/api/v1/chat/completions', { body, bearer: PROVIDER_KEY }),
    );
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(testProvider.lastRequest().body.toString()).messages[2].content as string;
  }
  const guard = (messages: object[]): Promise<Answer> =>
    readAnswer(gateway.call('POST', '/api/v1/guard', { body: { messages } }));

  test('"e-mail addresses, paths, example credentials stay"', async () => {
    assert.equal(await forwarded('read_file', CODE), CODE);
    assert.equal(await forwarded('Bash', CODE), CODE);
    assert.equal((await guard(conversation('read_file', CODE))).body['decision'], 'allow');
  });

  test('results of other tools are redacted', async () => {
    const redacted = CODE.replace('ana.lopez@acme.com', '[EMAIL]').replace('eyojnume', '[API_KEY]');
    assert.equal(await forwarded('get_customer', CODE), redacted);
    assert.equal((await guard(conversation('get_customer', CODE))).body['decision'], 'redact');
  });

  test('social security numbers and working keys are still masked', async () => {
    const key = `ghp_${'CkCd0ikyBy53I5CeaLrq4aD3kAJqmif6rxLv'}`;
    assert.equal(
      await forwarded('read_file', `ssn = "536-90-4399"\ntoken = "${key}"`),
      'ssn = "[SSN]"\ntoken = "[API_KEY]"',
    );
  });

  test('a policy on personal data applies to them too', async () => {
    const { organizationId, projectId } = gateway.account;
    await gateway.storage.policies.insertMany(organizationId, projectId, [
      {
        ...{ name: 'Mail', action: 'redact', threatTypes: ['pii_leak'], priority: 500 },
        rules: { conditions: { pii_types: ['email'] } },
      },
    ]);
    const key = (await gateway.addKey()).plain;
    const body = { messages: conversation('read_file', CODE) };
    const answer = await readAnswer(gateway.call('POST', '/api/v1/guard', { key, body }));
    assert.equal(answer.body['decision'], 'redact', answer.text);
  });
});
