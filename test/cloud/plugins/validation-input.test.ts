import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeDetail } from '../../../apps/cloud/src/plugins/validation-input.ts';

const KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const inputOf = (body: unknown, loc: (string | number)[], type = 'type') =>
  completeDetail([{ loc: ['body', ...loc], msg: 'm', type }], { body })[0]?.input;

test('every item has loc, msg, type, input and ctx', () => {
  const [item] = completeDetail([{ loc: ['body', 'name'], msg: 'm', type: 't' }], { body: { name: 7 } });
  assert.deepEqual(item, { loc: ['body', 'name'], msg: 'm', type: 't', input: 7, ctx: {} });
  const [other] = completeDetail([{ loc: ['query', 'n'], msg: 'm', type: 't', ctx: { max: 1 } }], {
    query: { n: '2' },
  });
  assert.deepEqual([other?.input, other?.ctx], ['2', { max: 1 }]);
});

test('the input of a missing field is the object that lacks it', () => {
  assert.deepEqual(inputOf({ messages: [{ role: 'user' }] }, ['messages', 0, 'content'], 'missing'), {
    role: 'user',
  });
});

test('an absent value is null, whatever its name', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'x'])
    assert.equal(inputOf({}, [name]), null, name);
  assert.equal(inputOf(undefined, ['a', 'b']), null);
  assert.equal(inputOf('text', ['length']), null);
});

test('secrets are replaced by placeholders, by their form and by the name of their field', () => {
  assert.equal(inputOf({ note: `key ${KEY}` }, ['note']), 'key [API_KEY]');
  assert.equal(inputOf({ url: 'https://user:horse@a.example/x' }, ['url']), 'https://[SECRET]@a.example/x');
  assert.equal(inputOf({ url: 'https://a.example/@x' }, ['url']), 'https://a.example/@x');
  assert.equal(inputOf({ current_password: 'horse' }, ['current_password']), '[SECRET]');
  assert.deepEqual(inputOf({ a: { password: 'horse', text: 'x' } }, ['a']), {
    password: '[SECRET]',
    text: 'x',
  });
  assert.deepEqual(inputOf({ token: 't', list: [KEY] }, ['z'], 'missing'), {
    token: '[SECRET]',
    list: ['[API_KEY]'],
  });
});

test('an input over 1,000 characters is cut, and no secret is cut in half', () => {
  assert.equal((inputOf({ a: 'x'.repeat(5_000) }, ['a']) as string).length, 1_000);
  const crossing = inputOf({ a: `${'word '.repeat(198)}${KEY}` }, ['a']) as string;
  assert.ok(!crossing.includes('AKIA'), crossing.slice(-30));
  const object = inputOf({ a: Array.from({ length: 100_000 }, (_one, n) => `text ${n}`) }, ['a']);
  assert.equal(typeof object, 'string');
  assert.equal((object as string).length, 1_000);
  assert.ok((inputOf({ a: `${'x'.repeat(999)}\u{1f600}` }, ['a']) as string).isWellFormed());
});
