import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatByName, replacementsByPath, writeTexts } from '../../../../shared/providers/index.ts';
import type { Replacement } from '../../../../shared/text/index.ts';

/** Masks every occurrence of `secret` in every slot, as an engine that finds it everywhere would. */
function masked(source: string, secret: string | RegExp, mask = '[EMAIL]'): string {
  const { slots } = formatByName('openai-chat').readRequest(JSON.parse(source));
  const byIndex = new Map<number, Replacement[]>();
  for (const [i, slot] of slots.entries()) {
    const pattern =
      typeof secret === 'string' ? new RegExp(secret.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&'), 'g') : secret;
    const list = [...slot.text.matchAll(pattern)].map((m) => ({
      start: m.index,
      end: m.index + m[0].length,
      text: mask,
    }));
    if (list.length > 0) byIndex.set(i, list);
  }
  return writeTexts(source, replacementsByPath(slots, byIndex));
}

describe('redactions in JSON within a string', () => {
  const args = (json: string): string =>
    JSON.stringify({
      messages: [
        { role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'f', arguments: json } }] },
      ],
    });
  const argsOf = (source: string): string => JSON.parse(source).messages[0].tool_calls[0].function.arguments;

  it('keep arguments valid JSON: plain, escaped, as a number, across name and value, two levels deep', () => {
    assert.equal(
      argsOf(masked(args('{"to":"ana@e.test", "n":1.0}'), 'ana@e.test')),
      '{"to":"[EMAIL]", "n":1.0}',
    );
    assert.equal(argsOf(masked(args('{"to":"\\u0061na@e.test"}'), 'ana@e.test')), '{"to":"[EMAIL]"}');
    assert.equal(
      argsOf(masked(args('{"card": 4111111111111111 ,"n":2}'), '4111111111111111', '[CREDIT_CARD]')),
      '{"card": "[CREDIT_CARD]" ,"n":2}',
    );
    assert.deepEqual(
      JSON.parse(argsOf(masked(args('{"key":"hunter2","n":2}'), /key":"hunter2/g, '[API_KEY]'))),
      { '[API_KEY]': '[API_KEY]', n: 2 },
    );
    const inner = JSON.stringify({ note: 'é "ana@e.test"\n' });
    const deep = argsOf(masked(args(JSON.stringify({ inner })), 'ana@e.test'));
    assert.deepEqual(JSON.parse(JSON.parse(deep).inner), { note: 'é "[EMAIL]"\n' });
  });

  it('are written as text into truncated arguments', () => {
    assert.equal(argsOf(masked(args('{"to":"ana@e.test"'), 'ana@e.test')), '{"to":"[EMAIL]"');
  });
});
