import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type BlockReply, formatByName, oneErrorFrame } from '../../../shared/providers/index.ts';

const block = {
  message: 'Stopped: "injection" — ünïcode',
  eventId: 'evt_17',
  dashboardUrl: 'https://dash.test/e/17',
};

const answering = (reply: BlockReply) => async (): Promise<Response> =>
  new Response(reply.body, { status: reply.status, headers: { 'content-type': reply.contentType } });

const openai = (reply: BlockReply): OpenAI =>
  new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: answering(reply) });
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
const stream = (body: string): BlockReply => ({ status: 200, contentType: 'text/event-stream', body });
async function drained(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of parts);
}

describe('the block frames end a stream as an error in the provider’s own package', () => {
  const body = oneErrorFrame(block);
  const framesOf = (name: string): BlockReply => stream(formatByName(name).streamBlockOf(block));

  it('openai, chat completions', async () => {
    const error = await refusal(async () =>
      drained(
        await openai(framesOf('openai-chat')).chat.completions.create({ model: 'm', messages, stream: true }),
      ),
    );
    assert.ok(error instanceof OpenAI.APIError, String(error));
    assert.ok(error.message.includes('Stopped'), error.message);
    assert.equal(error.code, 'content_blocked');
    assert.equal(error.type, 'invalid_request_error');
  });

  it('openai, responses', async () => {
    const error = await refusal(async () =>
      drained(
        await openai(framesOf('openai-responses')).responses.create({
          model: 'm',
          input: 'hi',
          stream: true,
        }),
      ),
    );
    assert.ok(error instanceof OpenAI.APIError, String(error));
    assert.ok(error.message.includes('Stopped'), error.message);
  });

  it('anthropic, messages', async () => {
    const error = await refusal(async () =>
      drained(
        await anthropic(framesOf('anthropic-messages')).messages.create({
          model: 'm',
          max_tokens: 1,
          messages,
          stream: true,
        }),
      ),
    );
    assert.ok(error instanceof Anthropic.APIError, String(error));
    assert.ok(error.message.includes('Stopped'), error.message);
    assert.deepEqual(
      (error.error as { error: { code: string; event_id: string } }).error.code,
      'content_blocked',
    );
  });

  it('openai, completions', async () => {
    const client = openai(framesOf('openai-completions'));
    const error = await refusal(async () =>
      drained(await client.completions.create({ model: 'm', prompt: 'hi', stream: true })),
    );
    assert.equal(error.code, 'content_blocked');
    assert.ok(error.message.includes('Stopped'), error.message);
  });

  it('openai, the helper that assembles a response', async () => {
    const client = openai(framesOf('openai-responses'));
    const error = await refusal(() => client.responses.stream({ model: 'm', input: 'hi' }).finalResponse());
    assert.ok(error.message.includes('Stopped'), error.message);
  });

  it('responses end in a failure that clients do not retry, and in a numbered error', () => {
    const [created, failed, last] = framesOf('openai-responses').body.trimEnd().split('\n\n');
    const dataOf = (frame = '') => JSON.parse(frame.split('\ndata: ')[1] ?? '');
    const { type, sequence_number, response } = dataOf(failed);
    assert.equal(dataOf(created).type, 'response.created');
    assert.deepEqual([type, sequence_number], ['response.failed', 1]);
    assert.deepEqual(response.error, { code: 'invalid_prompt', message: block.message });
    assert.equal(response.status, 'failed');
    const { error, ...rest } = dataOf(last);
    assert.deepEqual(rest, { type: 'error', sequence_number: 2, param: null });
    assert.equal(error.code, 'content_blocked');
  });

  it('is one frame with the documented fields', () => {
    assert.match(body, /^event: error\ndata: \{"type":"error","error":\{[^\n]*\}\}\n\n$/);
    const { error } = JSON.parse(body.split('\ndata: ')[1] ?? '');
    assert.deepEqual(error, {
      type: 'content_filter',
      code: 'content_blocked',
      message: block.message,
      event_id: 'evt_17',
    });
  });
});
