import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type ExtractedBody, formatByName } from '../../../../shared/providers/index.ts';
import { parseStrictJson } from '../../../../shared/text/index.ts';

const fixture = (name: string): unknown =>
  parseStrictJson(readFileSync(new URL(`../../../fixtures/provider-bodies/${name}`, import.meta.url))).value;

/** `role path text` of each slot. */
const textsOf = (reading: ExtractedBody): string[] =>
  reading.slots.map((slot) => `${slot.role} ${slot.path} ${slot.text}`);

const read = (name: string, value: unknown): ExtractedBody => formatByName(name).readRequest(value);

const roleOf = (reading: ExtractedBody, text: string): string | undefined =>
  reading.slots.find((slot) => slot.text === text)?.role;

describe('readRequest gives every text the role of its position', () => {
  it('chat completions', () => {
    const reading = read('openai-chat', fixture('openai-chat.request.json'));
    assert.deepEqual(textsOf(reading), [
      'identifier /model gpt-4o-mini',
      "system /messages/0/content Answer in Portuguese, s'il vous plaît.",
      'other /messages/1/name ana',
      'user /messages/1/content/0/text What is on this receipt?',
      'other /messages/1/content/1/image_url/url https://shop.test/receipt.png',
      'identifier /messages/2/tool_calls/0/id call_1',
      'tool_call /messages/2/tool_calls/0/function/name look_up',
      'tool_call /messages/2/tool_calls/0/function/arguments {"order":"A\\u002d17","mail":"ana@example.com"}',
      'tool_call /messages/2/tool_calls/0/function/arguments~json/9 A-17',
      'identifier /messages/3/tool_call_id call_1',
      'tool_result /messages/3/content {"total":"12,50"}',
      'tool_definition /tools/0/function/name look_up',
      'tool_definition /tools/0/function/description Finds an order.',
      'tool_definition /tools/0/function/parameters/properties/order~key order',
      'tool_definition /tools/0/function/parameters/properties/order/description Its number.',
      'tool_definition /tools/0/function/parameters/required/0 order',
    ]);
    assert.deepEqual([reading.model, reading.stream], ['gpt-4o-mini', true]);
    assert.deepEqual(
      reading.unscanned.map(({ index, reason }) => [index, reason]),
      [[1, 'url_only']],
    );
  });

  it('messages', () => {
    const reading = read('anthropic-messages', fixture('anthropic-messages.request.json'));
    assert.deepEqual(textsOf(reading), [
      'identifier /model claude-sonnet-4-5',
      'system /system/0/text You sort mail.',
      'document /messages/0/content/0/title letter.txt',
      'document /messages/0/content/0/source/data Dear all, the meeting moves to Friday.',
      'user /messages/0/content/1/text Whom is it from?',
      'assistant /messages/1/content/0/thinking Look up the sender.',
      'assistant /messages/1/content/0/signature c2lnbmVk',
      'identifier /messages/1/content/1/id toolu_1',
      'tool_call /messages/1/content/1/name find_person',
      'tool_call /messages/1/content/1/input/query sender of letter',
      'identifier /messages/2/content/0/tool_use_id toolu_1',
      'tool_result /messages/2/content/0/content/0/text It is from the board.',
      'tool_definition /tools/0/name find_person',
      'tool_definition /tools/0/description Finds people.',
      'metadata /metadata/user_id~key user_id',
      'metadata /metadata/user_id u-17',
    ]);
    assert.deepEqual([reading.model, reading.stream], ['claude-sonnet-4-5', false]);
  });

  it('responses', () => {
    const reading = read('openai-responses', fixture('openai-responses.request.json'));
    assert.deepEqual(textsOf(reading), [
      'identifier /model gpt-4.1',
      'system /instructions Be brief.',
      'user /input/0/content/0/text Sum up the log.',
      'document /input/0/content/1/filename app.log',
      'document /input/0/content/1/file_data~data started ok  error at 9:17',
      'identifier /input/1/id rs_1',
      'assistant /input/1/summary/0/text Reading the log.',
      'identifier /input/2/call_id call_9',
      'tool_call /input/2/name tail',
      'tool_call /input/2/arguments {"lines":20}',
      'identifier /input/3/call_id call_9',
      'tool_result /input/3/output error at 9:17',
      'identifier /input/4/id msg_0',
      'tool_definition /tools/0/name tail',
      'tool_definition /tools/0/description Last lines.',
      'tool_definition /tools/0/parameters/properties/lines~key lines',
    ]);
    const bare = read('openai-responses', { model: 'm', input: 'Just this.', stream: 'true' });
    assert.deepEqual([roleOf(bare, 'Just this.'), bare.stream], ['user', false]);
  });
});

describe('all families', () => {
  it('reads members of one family in a body of another', () => {
    const reading = read('openai-chat', { messages: [], instructions: 'a', input: 'b', system: 'c' });
    assert.deepEqual(
      ['a', 'b', 'c'].map((text) => roleOf(reading, text)),
      ['user', 'user', 'user'],
    );
    const answer = formatByName('openai-chat').readResponse({
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'd' }] }],
    });
    assert.equal(roleOf(answer, 'd'), 'assistant');
  });
});
