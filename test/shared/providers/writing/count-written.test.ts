import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countWritten,
  formatByName,
  replacementsByPath,
  writeTexts,
} from '../../../../shared/providers/index.ts';
import { finish, type Replacement, type TextSlot } from '../../../../shared/text/index.ts';

const MASK = '[EMAIL]';
/** Masks every email address in every reading, as the engine does. */
function masksIn(slots: readonly TextSlot[]): Map<number, Replacement[]> {
  const byIndex = new Map<number, Replacement[]>();
  for (const [i, { text }] of slots.entries()) {
    const list = [...text.matchAll(/ana@e\.test/g)].map(({ index }) => ({
      start: index,
      end: index + 10,
      text: MASK,
    }));
    if (list.length > 0) byIndex.set(i, list);
  }
  return byIndex;
}

function counted(body: object): { count: number; written: string } {
  const source = JSON.stringify(body);
  const { slots } = formatByName('openai-chat').readRequest(JSON.parse(source));
  const masks = masksIn(slots);
  const written = writeTexts(source, replacementsByPath(slots, masks));
  return { count: finish(countWritten(slots, masks)), written };
}
const chat = (content: unknown, more: object = {}) => ({ messages: [{ role: 'user', content, ...more }] });
const call = (args: string) => ({
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'n', arguments: args } }],
});

describe('countWritten counts the changes of writeTexts', () => {
  const bodies: readonly (readonly [string, object, number])[] = [
    ['two in one text', chat('ana@e.test and ana@e.test'), 2],
    ['nothing', chat('hello'), 0],
    [
      'JSON in a string with escapes, which is read twice',
      chat('x', call('{"t":"say \\"hi\\" to ana@e.test"}')),
      1,
    ],
    ['two levels of JSON', chat('x', call(JSON.stringify({ t: JSON.stringify({ u: 'a\nana@e.test' }) }))), 1],
    ['a value that appears only with its escapes decoded', chat('x', call('{"t":"\\u0061na@e.test"}')), 1],
    ['one split over three blocks', chat(['ana', '@e.', 'test'].map((text) => ({ type: 'text', text }))), 1],
    [
      'one that stands whole in a block beside another',
      chat(['ana@e.test', 'x'].map((text) => ({ type: 'text', text }))),
      1,
    ],
    ['the name of a member', chat('x', { 'ana@e.test': 1 }), 1],
  ];
  for (const [name, body, expected] of bodies) {
    it(name, () => {
      const { count, written } = counted(body);
      assert.equal(count, expected);
      assert.equal(written.split(MASK).length - 1, expected, written);
      assert.ok(!written.includes('ana@e.test'));
    });
  }

  it('inside base64', () => {
    const file_data = `data:text/plain;base64,${btoa('Dear ana@e.test, dear ana@e.test')}`;
    const { count, written } = counted(chat([{ type: 'file', file: { filename: 'a.txt', file_data } }]));
    assert.equal(count, 2);
    assert.ok(!written.includes(btoa('Dear ana')));
  });

  it('a number in JSON within a string, read as is and written out', () => {
    const slots: TextSlot[] = [
      { path: '/a', role: 'tool_call', text: '{"n":4111111111111111}' },
      { path: '/a~json/5', role: 'tool_call', text: '4111111111111111', isNumber: true },
      { path: '/n', role: 'tool_call', text: '4111111111111111', isNumber: true },
    ];
    const mask = { text: '[CREDIT_CARD]' };
    const masks = new Map([
      [0, [{ ...mask, start: 5, end: 21 }]],
      [1, [{ ...mask, start: 0, end: 16 }]],
      [2, [{ ...mask, start: 0, end: 16 }]],
    ]);
    assert.equal(finish(countWritten(slots, masks)), 2);
  });

  it('only below the written pointers', () => {
    const slots: TextSlot[] = [
      { path: '/messages/0/content', role: 'user', text: 'ana@e.test' },
      { path: '/retrieved_context/0/content', role: 'document', text: 'ana@e.test' },
    ];
    assert.equal(finish(countWritten(slots, masksIn(slots), ['/messages/'])), 1);
    assert.equal(finish(countWritten(slots, masksIn(slots))), 2);
  });
});
