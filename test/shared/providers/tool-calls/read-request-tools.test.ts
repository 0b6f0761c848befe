import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readDefinedTools, readResultTools } from '../../../../shared/providers/index.ts';
import { finish } from '../../../../shared/text/index.ts';

describe('the tools of a request', () => {
  const schema = { type: 'object', properties: { to: {}, body: {} } };

  test('are read in every provider’s definition format', () => {
    const hints = { isDestructive: null, isOpenWorld: null };
    const defined = { name: 'send', parameters: ['to', 'body'], schema, ...hints };
    for (const [family, request] of Object.entries({
      chat: { tools: [{ type: 'function', function: { name: 'send', parameters: schema } }] },
      legacy: { functions: [{ name: 'send', parameters: schema }] },
      responses: { tools: [{ type: 'function', name: 'send', parameters: schema }] },
      namespace: {
        tools: [
          {
            type: 'namespace',
            name: 'mcp__mail',
            tools: [{ type: 'function', name: 'send', parameters: schema }],
          },
        ],
      },
      messages: { tools: [{ name: 'send', input_schema: schema }] },
      gemini: { tools: [{ functionDeclarations: [{ name: 'send', parameters: schema }] }] },
      converse: { toolConfig: { tools: [{ toolSpec: { name: 'send', inputSchema: { json: schema } } }] } },
    }))
      assert.deepEqual([...readDefinedTools(request).values()], [defined], family);
    const annotations = { destructiveHint: true, openWorldHint: false };
    const [tool] = readDefinedTools({ tools: [{ name: 'x', annotations }] }).values();
    assert.deepEqual([tool?.isDestructive, tool?.isOpenWorld], [true, false]);
    assert.equal(readDefinedTools({ tools: [null, 7, {}, { type: 'web_search' }] }).size, 1);
    assert.equal(readDefinedTools(null).size, 0);
  });

  test('are identified by their results', () => {
    const chat = {
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'read', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'x' },
        { role: 'tool', tool_call_id: 'other', content: 'y' },
        { role: 'function', name: 'legacy', content: 'z' },
      ],
    };
    const toolOf = finish(readResultTools(chat));
    assert.deepEqual(
      [1, 2, 3].map((index) => toolOf(`/messages/${index}/content`)),
      ['read', null, 'legacy'],
    );
    const messages = finish(
      readResultTools({
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'x' }] }],
          },
        ],
      }),
    );
    assert.equal(messages('/messages/1/content/0/content/0/text'), 'read');
    assert.equal(messages('/messages/0/content/0'), null);
    const gemini = finish(
      readResultTools({
        contents: [{ parts: [{ functionResponse: { name: 'read', response: { a: 'x' } } }] }],
      }),
    );
    assert.equal(gemini('/contents/0/parts/0/functionResponse/response/a'), 'read');
  });
});
