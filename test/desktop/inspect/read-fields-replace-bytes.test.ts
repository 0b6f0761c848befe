import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { replaceBytes } from '../../../apps/desktop/src/inspect/read-fields.ts';

test('replaces as a string replacement would, for every byte', () => {
  const bytes = fc.uint8Array({ max: 3, maxLength: 60 });
  fc.assert(
    fc.property(bytes, fc.uint8Array({ max: 3, minLength: 1, maxLength: 4 }), bytes, (all, from, to) => {
      const text = (part: Uint8Array) => Buffer.from(part).toString('latin1');
      assert.equal(text(replaceBytes(all, from, to)), text(all).split(text(from)).join(text(to)));
    }),
    { seed: 3 },
  );
});

test('without a match returns the same array', () => {
  const bytes = new Uint8Array([1, 2]);
  assert.equal(replaceBytes(bytes, new Uint8Array([9]), new Uint8Array()), bytes);
  assert.equal(replaceBytes(bytes, new Uint8Array(), new Uint8Array([1])), bytes);
});

test('matches do not overlap, and the search resumes after a partial match', () => {
  const replaced = (all: string, from: string) => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    return new TextDecoder().decode(replaceBytes(bytes(all), bytes(from), bytes('_')));
  };
  assert.equal(replaced('aaa', 'aa'), '_a');
  assert.equal(replaced('aaab', 'aab'), 'a_');
  assert.equal(replaced('aaaa', 'aa'), '__');
});
