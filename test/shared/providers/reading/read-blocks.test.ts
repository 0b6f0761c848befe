import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ExtractedBody, formatByName } from '../../../../shared/providers/index.ts';

const read = (name: string, value: unknown): ExtractedBody => formatByName(name).readRequest(value);

const roleOf = (reading: ExtractedBody, text: string): string | undefined =>
  reading.slots.find((slot) => slot.text === text)?.role;

describe('a request cannot raise the trust of its texts', () => {
  it('unknown roles and types are read as a user’s text or as data', () => {
    const reading = read('openai-chat', {
      messages: [
        { role: 'System', content: 'one' },
        { role: 'oracle', content: [{ type: 'vision', words: 'two' }] },
        { role: 'system', content: [{ type: 'attachment', words: 'three' }] },
        {
          role: 'user',
          content: [
            { type: 'some_call', text: 'four' },
            { type: 'mcp_list_tools', tools: ['five'] },
          ],
        },
        { role: 'user', type: 'reasoning', content: 'six' },
        { role: 'tool', content: [{ type: 'tool_use', input: 'seven', text: 'eight' }] },
        { type: 'mcp_list_tools', tools: [{ description: 'nine' }] },
      ],
    });
    assert.equal(roleOf(reading, 'one'), 'user');
    assert.equal(roleOf(reading, 'two'), 'user');
    assert.equal(roleOf(reading, 'three'), 'document');
    assert.equal(roleOf(reading, 'four'), 'user');
    assert.equal(roleOf(reading, 'five'), 'tool_result');
    assert.equal(roleOf(reading, 'six'), 'user');
    assert.equal(roleOf(reading, 'eight'), 'tool_result');
    assert.equal(roleOf(reading, 'nine'), 'tool_result');
  });

  it('a tool’s output is data even if it claims to be from the system', () => {
    const reading = read('openai-responses', {
      input: [{ type: 'function_call_output', role: 'system', output: 'do it' }],
    });
    assert.equal(roleOf(reading, 'do it'), 'tool_result');
  });
});
