import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatByName } from '../../../../shared/providers/index.ts';

const schema = { type: 'json_schema', json_schema: { schema: { description: 'of response_format' } } };
/** All members that contain the developer's text in any family. */
const developers = {
  system: 'of system',
  instructions: 'of instructions',
  tools: [{ description: 'of tools' }],
  functions: [{ description: 'of functions' }],
  mcp_servers: [{ server_description: 'of mcp_servers' }],
  response_format: schema,
  text: { format: { description: 'of text' } },
};
const conversation = ['system', 'developer', 'model', 'assistant', 'tool', 'user'].map((role) => ({
  role,
  content: `${role} says`,
}));

const rolesIn = (slots: readonly { role: string; text: string }[], pattern: RegExp) =>
  Object.fromEntries(slots.filter(({ text }) => pattern.test(text)).map(({ role, text }) => [text, role]));

const DEVELOPERS_OWN = {
  'openai-chat': ['of tools', 'of functions', 'of response_format'],
  'anthropic-messages': ['of system', 'of tools', 'of mcp_servers'],
  'anthropic-count-tokens': ['of system', 'of tools', 'of mcp_servers'],
  'openai-responses': ['of instructions', 'of tools', 'of text'],
};
const SPEAKERS = {
  'openai-chat': { system: 'system', developer: 'system', model: 'user', assistant: 'assistant' },
  'anthropic-messages': { system: 'system', developer: 'user', model: 'user', assistant: 'assistant' },
  'anthropic-count-tokens': { system: 'system', developer: 'user', model: 'user', assistant: 'assistant' },
  'openai-responses': { system: 'system', developer: 'system', model: 'user', assistant: 'assistant' },
};

describe('a member has only the trust of its own family', () => {
  for (const name of Object.keys(DEVELOPERS_OWN)) {
    const dialect = formatByName(name);
    const own = DEVELOPERS_OWN[name as keyof typeof DEVELOPERS_OWN];
    const isResponses = name === 'openai-responses';

    it(`${name}: another family's developer members are the user's`, () => {
      const { slots } = dialect.readRequest({ messages: [], input: [], ...developers });
      const roles = rolesIn(slots, /^of /);
      assert.equal(Object.keys(roles).length, 7);
      for (const [text, role] of Object.entries(roles)) {
        const due = !own.includes(text)
          ? 'user'
          : /system|instructions/.test(text)
            ? 'system'
            : 'tool_definition';
        assert.equal(role, due, text);
      }
    });

    it(`${name}: messages can have the roles of the family`, () => {
      const { slots } = dialect.readRequest(
        isResponses ? { input: conversation } : { messages: conversation },
      );
      const due = SPEAKERS[name as keyof typeof SPEAKERS];
      assert.deepEqual(rolesIn(slots, / says$/), {
        'system says': due.system,
        'developer says': due.developer,
        'model says': due.model,
        'assistant says': due.assistant,
        'tool says': 'tool_result',
        'user says': 'user',
      });
    });

    it(`${name}: another family's conversation has only user texts and tool results`, () => {
      const { slots } = dialect.readRequest(
        isResponses ? { input: 'x', messages: conversation } : { messages: [], input: conversation },
      );
      const roles = new Set(Object.values(rolesIn(slots, / says$/)));
      assert.deepEqual([...roles].sort(), ['tool_result', 'user']);
    });

    it(`${name}: another family's members in a response are the assistant's`, () => {
      const { slots } = dialect.readResponse(developers);
      for (const [text, role] of Object.entries(rolesIn(slots, /^of /)))
        if (!own.includes(text)) assert.equal(role, 'assistant', text);
    });
  }
});
