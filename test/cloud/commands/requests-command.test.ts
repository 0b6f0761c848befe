import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Json, readAnswer } from '../../support/answers.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('exceptions, while the service runs', () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  let device: string;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
    device = await gateway.addDevice();
  });
  after(() => gateway.close());

  const ask = async (key = device): Promise<string> => {
    const body = { destination_host: 'chatgpt.com', requested_minutes: 30 };
    const answer = await readAnswer(gateway.call('POST', '/api/v1/exceptions', { key, body }));
    return answer.body['id'] as string;
  };
  const status = async (id: string) =>
    (await readAnswer(gateway.call('GET', `/api/v1/exceptions/${id}`))).body['status'];

  test('approves and denies requests; a denied one cannot be approved later', async () => {
    const [one, two] = [await ask(), await ask()];
    const approve = ['exceptions', 'approve', one, '--minutes', '5', '--reason', 'a test'];
    const approved = await commands.json(approve);
    assert.deepEqual([approved['status'], approved['decision_reason']], ['approved', 'a test']);
    const lastsMs =
      Date.parse(approved['expires_at'] as string) - Date.parse(approved['starts_at'] as string);
    assert.equal(lastsMs, 5 * 60_000);
    assert.equal((await commands.json(['exceptions', 'deny', two]))['status'], 'denied');
    assert.deepEqual([await status(one), await status(two)], ['approved', 'denied']);
    await commands.refuse(['exceptions', 'approve', two], /^This exception is already denied\.\n$/);
    const listed = (await commands.json(['exceptions', 'list', '--status', 'approved']))[
      'exceptions'
    ] as Json[];
    assert.deepEqual(
      listed.map((item) => item['id']),
      [one],
    );
    const output = (await commands.run(['exceptions', 'list'])).stdout;
    assert.match(output, new RegExp(`${two} +denied +chatgpt.com +attacks +30 min +by dev_`));
  });

  test('does not let the operator approve a request of the operator’s own key', async () => {
    const own = await ask(gateway.key);
    await commands.refuse(['exceptions', 'approve', own], /^You cannot approve your own request/);
    assert.equal(await status(own), 'pending');
  });

  test('approves for no longer than what was asked for', async () => {
    await commands.refuse(['exceptions', 'approve', await ask(), '--minutes', '31'], /1 to 30 minutes/);
  });
});
