import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { workingData } from '../../../shared/decision/index.ts';
import { conversationOf, finish, type TextSlot } from '../../../shared/text/index.ts';
import { pausesOf } from '../../support/pauses.ts';

const toolWith = (properties: object) => ({
  tools: [{ type: 'function', function: { name: 'send', parameters: { type: 'object', properties } } }],
});
const user = (text: string, path = '/messages/0/content'): TextSlot => ({ path, role: 'user', text });
const takenBy = (properties: object) =>
  finish(workingData(toolWith(properties), conversationOf([user('x')])).typesIn(user('x')));

describe('working data', () => {
  test('is of the types that a tool has a parameter for, by name, format and at any place of a schema', () => {
    assert.deepEqual(takenBy({ sendTo: {} }), ['email']);
    assert.deepEqual(takenBy({ host: {}, phone: {}, cc: {} }), ['email', 'phone', 'ip_address']);
    assert.deepEqual(takenBy({ a: { items: [{ anyOf: [{ format: 'ipv4' }] }] } }), ['ip_address']);
    assert.deepEqual(takenBy({ text: {} }), []);
  });

  test('many parameters are read in steps', () => {
    const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`text ${n}`, {}]));
    const data = workingData(toolWith(properties), conversationOf([user('x')]));
    assert.ok(pausesOf(data.typesIn(user('x'))) >= 450);
  });

  test('a value is carried wherever it stands in long texts, in any case', () => {
    const filler = 'word '.repeat(60_000);
    for (const before of [0, 262_140, 262_144, 262_150, 299_990]) {
      const text = `${filler.slice(0, before)}Anna@Ex.io${filler.slice(before)}`;
      const data = workingData(
        toolWith({ to: {} }),
        conversationOf([user('short'), user(text), user('end')]),
      );
      assert.ok(finish(data.isCarried('anna@ex.IO')), `${before}`);
      assert.ok(!finish(data.isCarried('other@ex.io')));
    }
  });

  test('each value is sought in steps', () => {
    const data = workingData(toolWith({ to: {} }), conversationOf([user('word '.repeat(800_000))]));
    assert.ok(pausesOf(data.isCarried('anna@ex.io')) >= 15);
    assert.ok(pausesOf(data.isCarried('eve@ex.io')) >= 15);
    assert.equal(pausesOf(data.isCarried('eve@ex.io')), 0, 'it is known');
  });
});
