import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Json, readAnswer } from '../../support/answers.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe('tool requests, while the service runs', () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  test('approves and denies requests, each only once', async () => {
    const key = await gateway.addDevice();
    const ask = async (): Promise<string> => {
      const body = { requested_host: 'grok.com' };
      return (await readAnswer(gateway.call('POST', '/api/v1/tool-requests', { key, body }))).body[
        'id'
      ] as string;
    };
    const [one, two] = [await ask(), await ask()];
    assert.equal((await commands.json(['tool-requests', 'approve', one]))['status'], 'approved');
    const denied = await commands.json(['tool-requests', 'deny', two, '--reason', 'not here']);
    assert.deepEqual([denied['status'], denied['decision_reason']], ['denied', 'not here']);
    await commands.refuse(['tool-requests', 'deny', one], /^This tool request is already approved\.\n$/);
    await commands.refuse(['tool-requests', 'deny', 'treq_none'], /^No such tool request\.\n$/);
    const listed = (await commands.json(['tool-requests', 'list', '--status', 'denied']))['tool_requests'];
    assert.deepEqual(
      (listed as Json[]).map((item) => item['id']),
      [two],
    );
    assert.match(
      (await commands.run(['tool-requests', 'list'])).stdout,
      new RegExp(`${one} +approved +grok.com`),
    );
  });
});
