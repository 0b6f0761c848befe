import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { onBothDatabases } from '../../support/both-databases.ts';
import { PROVIDER_KEY } from '../../support/clients.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

onBothDatabases('Idempotency-Key under zero retention', (start) => {
  let testProvider: TestProvider;
  let gateway: TestGateway;
  let key: string;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await start({ providerUrl: testProvider.url });
    const { id } = await gateway.storage.projects.insert(gateway.account.organizationId, {
      name: 'Nothing stays',
      zeroRetention: true,
    });
    key = (await gateway.addKey({ projectId: id })).plain;
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });

  for (const stream of [false, true]) {
    test(`a model's response is not stored: the repeated call is made again (${stream ? 'stream' : 'JSON'})`, async () => {
      const before = testProvider.requests.length;
      for (const call of [1, 2]) {
        const response = await readAnswer(
          gateway.call('POST', '/api/v1/chat/completions', {
            key,
            bearer: PROVIDER_KEY,
            body: { model: 'gpt-test', stream, messages: [{ role: 'user', content: 'hello' }] },
            headers: { 'idempotency-key': `relayed-${stream}` },
          }),
        );
        assert.equal(response.status, 200, response.text);
        assert.equal(response.headers.get('x-idempotency-replayed'), null);
        assert.equal(testProvider.requests.length, before + call);
      }
    });
  }

  test('a response of the gateway itself is not stored either: the work is repeated', async () => {
    const ask = () =>
      readAnswer(
        gateway.call('POST', '/api/v1/exceptions', {
          key,
          body: { destination_host: 'chat.example.com', justification: 'for the report' },
          headers: { 'idempotency-key': 'asked' },
        }),
      );
    const [first, second] = [await ask(), await ask()];
    assert.deepEqual([first.status, second.status], [200, 200], second.text);
    assert.notEqual(first.body['id'], second.body['id'], 'the work was done twice');
  });
});
