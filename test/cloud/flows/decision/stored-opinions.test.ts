import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addAccount } from '../../../support/accounts.ts';
import { type Json, readAnswer } from '../../../support/answers.ts';
import { createClassifierFolder, installRuntime } from '../../../support/classifier-folder.ts';
import { PROVIDER_KEY } from '../../../support/clients.ts';
import { createTestDatabase, noPostgres } from '../../../support/databases.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { startTestProvider } from '../../../support/test-provider.ts';
import { uncertainResults } from '../../../support/uncertain-results.ts';

/** If the registry cannot be reached, the runtime of classifiers cannot be tested. */
const noRuntime = await installRuntime().then(
  () => false as const,
  (error: Error) => error.message,
);

const TASK = 'Summarize the page.';
const MARKER = '[WITHHELD';
const assistant = (content: string) => ({ role: 'assistant', content });
const user = (content: string) => ({ role: 'user', content });

function turn(id: string, content: string): readonly Json[] {
  return [
    {
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id, type: 'function', function: { name: 'lookup', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content },
  ];
}

for (const [name, skip] of [
  ['SQLite', noRuntime],
  ['PostgreSQL', noRuntime || noPostgres],
] as const) {
  describe(`a second opinion in a conversation, on ${name}`, { skip }, () => {
    test('is decided when a text first appears, for instances that start later too', async () => {
      const database = name === 'SQLite' ? null : await createTestDatabase();
      const testProvider = await startTestProvider();
      const [quick, slow] = [createClassifierFolder(), createClassifierFolder({ slow: 'a little' })];
      const common = {
        GATEWAY_MASTER_KEY: '5a'.repeat(32),
        ...(database === null ? {} : { DATABASE_URL: database.databaseUrl }),
      };
      const env = {
        quick: { ...common, GATEWAY_CLASSIFIER_DIR: quick.dir, GATEWAY_CLASSIFIER_DEADLINE_MS: '60000' },
        late: { ...common, GATEWAY_CLASSIFIER_DIR: slow.dir, GATEWAY_CLASSIFIER_DEADLINE_MS: '1' },
      };
      const late = await startGateway({ isOwn: true, providerUrl: testProvider.url, env: env.late });
      let here: TestGateway | undefined;
      const account = await addAccount(late, { plan: 'enterprise', perMinute: 1_000_000 });

      /** What the provider receives. */
      async function send(gateway: TestGateway, messages: readonly Json[]): Promise<readonly Json[]> {
        const answer = await readAnswer(
          gateway.call('POST', '/api/v1/chat/completions', {
            key: account.key,
            bearer: PROVIDER_KEY,
            body: { model: 'gpt-test', messages },
          }),
        );
        assert.equal(answer.status, 200, answer.text);
        return JSON.parse(testProvider.requests.at(-1)!.body.toString()).messages;
      }

      try {
        const [first, ...others] = uncertainResults(TASK, 5);
        const begin = [user(TASK), ...turn('c0', first!)];
        const passing = [user(`${TASK} `), ...begin.slice(1)];
        const passed = await send(late, passing);
        assert.equal(passed[2]!['content'], first, 'without an opinion the engine decides');
        // Starts after that decision.
        here = await startGateway({ providerUrl: testProvider.url, env: env.quick, dataDir: late.dataDir });
        const withheld = await send(here, begin);
        assert.match(String(withheld[2]!['content']), /\[WITHHELD/, 'the classifier decides');

        // Later texts of which the engine is not sure either change nothing about the first.
        const later = others.flatMap((text, at) => [...turn(`c${at + 1}`, text)]);
        const next = [assistant('Done.'), user(TASK), ...later];
        for (const gateway of [here, late]) {
          assert.deepEqual((await send(gateway, [...begin, ...next])).slice(0, 3), withheld);
          const sent = await send(gateway, [...passing, ...next]);
          assert.deepEqual(sent.slice(0, 3), passed);
        }
        const all = await send(here, [...begin, ...next]);
        assert.equal(
          all.filter((one) => String(one['content']).includes(MARKER)).length,
          5,
          'each text gets an opinion',
        );
      } finally {
        await here?.close();
        await late.close();
        await testProvider.close();
        await database?.drop();
        quick.remove();
        slow.remove();
      }
    });
  });
}
