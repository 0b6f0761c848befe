import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import OpenAI from 'openai';
import { type BlockReply, formatByName } from '../../../../shared/providers/index.ts';

const block = {
  message: 'Stopped: "injection" — ünïcode',
  eventId: 'evt_17',
  dashboardUrl: 'https://dash.test/e/17',
};

const answering = (reply: BlockReply) => async (): Promise<Response> =>
  new Response(reply.body, { status: reply.status, headers: { 'content-type': reply.contentType } });

const openai = (reply: BlockReply): OpenAI =>
  new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: answering(reply) });

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

describe('a rejection is a proper error in OpenAI’s own package', () => {
  it('openai, chat completions', async () => {
    const reply = formatByName('openai-chat').rejectionOf(block);
    const error = await refusal(() => openai(reply).chat.completions.create({ model: 'm', messages }));
    assert.ok(error instanceof OpenAI.PermissionDeniedError);
    assert.equal(error.code, 'request_blocked');
    assert.ok(error.message.includes(block.message), error.message);
    assert.deepEqual((error.error as { event_id: string }).event_id, 'evt_17');
  });

  it('openai, responses', async () => {
    const reply = formatByName('openai-responses').rejectionOf(block);
    const error = await refusal(() => openai(reply).responses.create({ model: 'm', input: 'hi' }));
    assert.ok(error instanceof OpenAI.PermissionDeniedError);
    assert.ok(error.message.includes(block.message), error.message);
  });
});
