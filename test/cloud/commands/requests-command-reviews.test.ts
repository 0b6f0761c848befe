import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Json, readAnswer } from '../../support/answers.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

describe("agents' tool calls, while the service runs", () => {
  let gateway: TestGateway;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    commands = commandLine(gateway.dataDir);
  });
  after(() => gateway.close());

  const validate = async (tool: string, args: object = {}): Promise<Json> => {
    const body = { agent_id: 'a', tool_name: tool, arguments: args };
    return (await readAnswer(gateway.call('POST', '/api/v1/agent/validate-tool', { body }))).body;
  };

  test('shows and replaces each tool list, with immediate effect', async () => {
    const shown = await commands.json(['tool-lists']);
    assert.ok((shown['blocked_tools'] as string[]).includes('bash'));
    assert.equal((await validate('refund'))['allowed'], true);
    await commands.json(['tool-lists', '--review', 'refund', 'pay']);
    assert.equal((await validate('refund'))['review_required'], true);
    await commands.json(['tool-lists', '--blocked', 'refund']);
    const refund = await validate('refund');
    assert.deepEqual([refund['review_required'], refund['risk_level']], [false, 'critical']);
    await commands.json(['tool-lists', '--blocked']);
    assert.match((await commands.run(['tool-lists'])).stdout, /blocked +\(none\)\n.*\n *review +refund, pay/);
    await commands.refuse(['tool-lists', '--project', 'proj_none'], /^No such project\.\n$/);
  });

  test('approves and denies pending calls, each only once', async () => {
    const one = (await validate('refund', { amount: 1 }))['review_id'] as string;
    const two = (await validate('refund', { amount: 2 }))['review_id'] as string;
    assert.equal((await commands.json(['tool-reviews', 'approve', one]))['status'], 'approved');
    assert.equal((await validate('refund', { amount: 1 }))['allowed'], true);
    const denied = await commands.json(['tool-reviews', 'deny', two, '--reason', 'too much']);
    assert.deepEqual([denied['status'], denied['decision_reason']], ['denied', 'too much']);
    await commands.refuse(['tool-reviews', 'deny', one], /^This tool call is already used\.\n$/);
    const waiting = (await commands.json(['tool-reviews', 'list', '--pending']))['tool_reviews'];
    assert.ok(!(waiting as Json[]).some((item) => item['id'] === one || item['id'] === two));
    assert.match(
      (await commands.run(['tool-reviews', 'list'])).stdout,
      new RegExp(`${two} +denied +refund +by agent a`),
    );
    const strange = (await validate('refund', { amount: 3 }))['review_id'] as string;
    const body = { agent_id: 'agent\u202e\u001b[8m', tool_name: 'refund', arguments: { amount: 4 } };
    await gateway.call('POST', '/api/v1/agent/validate-tool', { body });
    const { stdout } = await commands.run(['tool-reviews', 'list', '--pending']);
    assert.match(stdout, new RegExp(`${strange} +pending +refund +by agent a\\n`));
    assert.ok(stdout.includes('by agent agent\\u{202e}\\u{1b}[8m\n'), stdout);
  });
});
