import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalJson, signedText } from '@csg/shared/text';
import fc from 'fast-check';

describe('canonical JSON', () => {
  test('sorts names by code unit, drops spaces and undefined, keeps arrays in order', () => {
    const value = { b: [2, 1, { d: null, c: true }], a: 'ü€', '\u{1f600}': 1, '\ue000': 2, gone: undefined };
    assert.equal(canonicalJson(value), '{"a":"ü€","b":[2,1,{"c":true,"d":null}],"😀":1,"\ue000":2}');
  });

  test('writes numbers and texts as RFC 8785 does', () => {
    assert.equal(canonicalJson([1e21, 1e-7, -0, 0.1, 2 / 3]), '[1e+21,1e-7,0,0.1,0.6666666666666666]');
    assert.equal(canonicalJson('\u0000\n"\\/'), '"\\u0000\\n\\"\\\\/"');
  });

  test('rejects values that JSON cannot express', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, undefined, 1n, () => 1, Symbol('x')]) {
      assert.throws(() => canonicalJson(value), TypeError, String(value));
    }
  });

  test('is the same for any order of members, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
        assert.equal(canonicalJson(reversed(value)), text);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('a signed text names its format', () => {
    assert.equal(signedText('format-v1', { a: 1 }), 'format-v1\n{"a":1}');
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
