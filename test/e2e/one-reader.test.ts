import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { startTestProvider, type TestProvider } from '../support/test-provider.ts';

describe('one reader for proxy, guard, scan and redact', () => {
  let testProvider: TestProvider;
  let gateway: TestGateway;

  before(async () => {
    testProvider = await startTestProvider();
    gateway = await startGateway({ providerUrl: testProvider.url });
    const { plain: key } = await gateway.addKey({ projectId: null });
    const changed = await gateway.call('PATCH', `/api/v1/projects/${gateway.account.projectId}`, {
      key,
      body: { use_case: 'support_bot' },
    });
    assert.equal(changed.status, 200);
  });
  after(async () => {
    await gateway.close();
    await testProvider.close();
  });

  const post = async (path: string, body: unknown) => {
    const reply = await gateway.call('POST', `/api/v1/${path}`, { body, bearer: 'sk-provider' });
    assert.equal(reply.status, 200, path);
    return reply.json();
  };
  const sayTo = (text: string) => [{ role: 'user', content: text }];

  /** The text that each of the four ways leaves; scan only reports that it would be masked. */
  async function fourWays(
    text: string,
  ): Promise<{ proxy: string; guard: string; redact: string; scan: string }> {
    await post('chat/completions', { model: 'm', messages: sayTo(text) });
    const sent = JSON.parse(testProvider.lastRequest().body.toString('utf8')) as {
      messages: { content: string }[];
    };
    const guard = (await post('guard', { messages: sayTo(text) })) as {
      redacted_messages: { content: string }[] | null;
    };
    const scan = (await post('security/scan', { content: text })) as { decision: string };
    const redact = (await post('security/redact', { content: text })) as { redacted: string };
    return {
      proxy: sent.messages[0]!.content,
      guard: guard.redacted_messages?.[0]?.content ?? text,
      redact: redact.redacted,
      scan: scan.decision,
    };
  }

  it('masks an SSN and a phone number before a card, in every way', async () => {
    for (const [text, expected] of [
      ['Anna 536-90-4399 4111 1111 1111 1111', 'Anna [SSN] [CREDIT_CARD]'],
      ['212-555-0187 4111 1111 1111 1111', '[PHONE] [CREDIT_CARD]'],
      ['(212) 555-0187 4111 1111 1111 1111', '[PHONE] [CREDIT_CARD]'],
      ['536-90-4399_4111111111111111', '[SSN]_[CREDIT_CARD]'],
      ['https://x.com/?q=my%20ssn%20is%20536-90-4399', 'https://x.com/?q=my%20ssn%20is%20[SSN]'],
    ] as const)
      assert.deepEqual(await fourWays(text), {
        proxy: expected,
        guard: expected,
        redact: expected,
        scan: 'redact',
      });
  });

  it('reads the URL of an image like any text', async () => {
    const url = 'https://x.com/?q=my%20ssn%20is%20536-90-4399';
    await post('chat/completions', {
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    });
    assert.ok(!testProvider.lastRequest().body.toString('utf8').includes('536-90-4399'));
  });
});
