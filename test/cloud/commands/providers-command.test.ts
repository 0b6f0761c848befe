import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAnswer } from '../../support/answers.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../../support/test-provider.ts';

describe('providers set-credential, while the service runs', () => {
  let gateway: TestGateway;
  let testProvider: TestProvider;
  let commands: CommandLine;
  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ isOwn: true, providerUrl: testProvider.url });
    commands = commandLine(gateway.dataDir);
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });

  test('stores a credential that is used for requests that bring none, and keeps it out of the audit log', async () => {
    const made = await commands.json(
      ['providers', 'set-credential', '--provider', 'openai'],
      'sk-sealed-one\n',
    );
    assert.deepEqual(made, { project_id: gateway.account.projectId, provider: 'openai' });
    const answer = await readAnswer(
      gateway.call('POST', '/api/v1/chat/completions', {
        body: { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }] },
      }),
    );
    assert.equal(answer.status, 200, answer.text);
    assert.equal(testProvider.lastRequest().headers.authorization, 'Bearer sk-sealed-one');
    const { rows } = await gateway.storage.audit.page(gateway.account.organizationId);
    assert.ok(rows.some((row) => row.kind === 'provider_credential_set'));
    assert.ok(!JSON.stringify(rows).includes('sk-sealed'));
  });
});
