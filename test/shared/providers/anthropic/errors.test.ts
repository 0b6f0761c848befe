import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { type BlockReply, formatByName } from '../../../../shared/providers/index.ts';

const block = {
  message: 'Stopped: "injection" — ünïcode',
  eventId: 'evt_17',
  dashboardUrl: 'https://dash.test/e/17',
};

const answering = (reply: BlockReply) => async (): Promise<Response> =>
  new Response(reply.body, { status: reply.status, headers: { 'content-type': reply.contentType } });

const anthropic = (reply: BlockReply): Anthropic =>
  new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: answering(reply) });

interface Refused {
  readonly status?: number;
  readonly code?: string;
  readonly type?: string;
  readonly message: string;
  readonly error?: unknown;
}

async function refusal(call: () => PromiseLike<unknown>): Promise<Refused> {
  try {
    await call();
  } catch (error) {
    return error as Refused;
  }
  assert.fail('the client took the rejection for a response');
}

const messages = [{ role: 'user' as const, content: 'hi' }];

describe('a rejection is a proper error in Anthropic’s own package', () => {
  for (const name of ['anthropic-messages', 'anthropic-count-tokens'] as const) {
    it(name, async () => {
      const client = anthropic(formatByName(name).rejectionOf(block));
      const error = await refusal(() =>
        name === 'anthropic-messages'
          ? client.messages.create({ model: 'm', max_tokens: 1, messages })
          : client.messages.countTokens({ model: 'm', messages }),
      );
      assert.ok(error instanceof Anthropic.PermissionDeniedError);
      assert.ok(error.message.includes('injection'), error.message);
      assert.equal((error.error as { error: { event_id: string } }).error.event_id, 'evt_17');
    });
  }
});
