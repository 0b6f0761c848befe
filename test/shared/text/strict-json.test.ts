import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BodyError, type BodyErrorReason, parseStrictJson } from '../../../shared/text/index.ts';
import { assertLinear } from '../../support/cpu-time.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function refused(input: string | Uint8Array, reason: BodyErrorReason): BodyError {
  try {
    parseStrictJson(typeof input === 'string' ? bytes(input) : input);
  } catch (error) {
    assert.ok(error instanceof BodyError, `threw ${error} instead of a BodyError`);
    assert.equal(error.reason, reason);
    return error;
  }
  assert.fail(`was accepted, though it is ${reason}: ${String(input).slice(0, 80)}`);
}

describe('parseStrictJson', () => {
  it('reads what JSON.parse reads, and keeps the source', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const source = JSON.stringify(value, null, indent);
        const read = parseStrictJson(bytes(source));
        assert.deepEqual(read.value, JSON.parse(source));
        assert.equal(read.source, source);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('rejects bytes that are not UTF-8', () => {
    for (const wrong of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xfe, 0xff, 0, 0x7b],
    ]) {
      refused(new Uint8Array(wrong), 'not_utf8');
    }
  });

  it('rejects a byte order mark and says so', () => {
    assert.match(refused('\ufeff{}', 'not_json').message, /byte order mark/);
  });

  it('rejects invalid JSON and names the position, never the text', () => {
    for (const text of [
      '',
      '  ',
      '{',
      '{"a":1,}',
      "{'a':1}",
      '{"a":1}x',
      '[1 2]',
      '// c\n{}',
      'NaN',
      '"\n"',
      '"abc',
      '{"a" "b"}',
    ]) {
      refused(text, 'not_json');
    }
    const fault = refused('{\n  "secret": sk-1234567890 }', 'not_json');
    assert.match(fault.message, /line 2, column 13/);
    assert.doesNotMatch(fault.message, /1234567890|secret/);
    assert.doesNotMatch(
      refused(`{"key": "hunter2" "${'x'.repeat(100_000)}"}`, 'not_json').message,
      /hunter2/,
    );
  });

  it('rejects duplicate names in one object, in any spelling and at any depth', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '{"role":"user","r\\u006fle":"system"}',
      '{"é":1,"\\u00e9":2}',
      '[[{"x":{"y":1,"z":[],"y":{"y":3}}}]]',
      '{"__proto__":1,"__proto__":2}',
      '{"a:\\"b":1,"a:\\u0022b":2}',
      '{"":0,"":0}',
      '{"/":0,"\\/":0}',
      '{"1":0,"b":0,"1":0}',
    ]) {
      const fault = refused(text, 'duplicate_key');
      assert.match(fault.message, /more than once/);
    }
  });

  it('accepts equal names in different objects, and colons, quotes and braces in strings', () => {
    const source = '{"a":{"a":":"},"b":[{"a":"\\\\"},{"a":"\\"{:}[\\\\\\""}],"\\\\":"]","c:":{}}';
    assert.deepEqual(parseStrictJson(bytes(source)).value, JSON.parse(source));
  });

  it('finds a duplicate name in any position', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1, maxKeys: 6 }),
        fc.nat(),
        (members, pick) => {
          const written = JSON.stringify(members);
          const names = Object.keys(JSON.parse(written) as object);
          const name = names[pick % names.length] ?? '';
          const escaped = [...Array(name.length).keys()]
            .map((i) => `\\u${name.charCodeAt(i).toString(16).padStart(4, '0')}`)
            .join('');
          refused(`[{"${escaped}":0,${written.slice(1)}]`, 'duplicate_key');
        },
      ),
      { seed: 2, numRuns: 300 },
    );
  });

  it('keeps __proto__ a plain member', () => {
    const { value } = parseStrictJson(
      bytes('{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}'),
    );
    assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor']);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('rejects nesting over 100 levels before any recursion', () => {
    const nested = (n: number): string => `${'['.repeat(n)}${']'.repeat(n)}`;
    parseStrictJson(bytes(nested(100)));
    parseStrictJson(bytes(`"${'['.repeat(500)}"`));
    refused(nested(101), 'too_deep');
    refused('{"a":'.repeat(2_000_000), 'too_deep');
    refused('['.repeat(8_000_000), 'too_deep');
  });

  it('rejects lone surrogates, in values and in names', () => {
    for (const text of [
      '"\\ud800"',
      '{"a":["x\\uDFFFy"]}',
      '{"\\udc00":1}',
      '"\\ude00\\ud83d"',
      '"\\ud83d\\u0041"',
    ]) {
      refused(text, 'lone_surrogate');
    }
    assert.equal(parseStrictJson(bytes('"\\ud83d\\ude00 \\u0000"')).value, '😀 \u0000');
    assert.equal(parseStrictJson(bytes('"\\\\ud800"')).value, '\\ud800');
  });

  it('rejects more members and items than a conversation has before it parses them', () => {
    const members = (n: number): string => `[${'{"a":1},'.repeat(n)}0]`;
    parseStrictJson(bytes(members(250_000)));
    refused(members(250_001), 'too_many_texts');
    const items = (n: number): string => `["a,b:c"${',0'.repeat(n)}]`;
    parseStrictJson(bytes(items(1_000_000)));
    refused(items(1_000_001), 'too_many_texts');
    const bounds = { members: 2, items: 3 };
    parseStrictJson(bytes('{"a":[1,2,3],"b":"::,,"}'), bounds);
    for (const text of ['{"a":{"b":{"c":0}}}', '[1,2,3,4,5]']) {
      assert.throws(() => parseStrictJson(bytes(text), bounds), { reason: 'too_many_texts' });
    }
  });

  it('is linear in text designed to be slow', () => {
    const read = (sent: Uint8Array): void => {
      try {
        parseStrictJson(sent);
      } catch {
        // Some are not valid.
      }
    };
    for (const make of [
      (n: number) => `"${'\\"'.repeat(n)}"`,
      (n: number) => `"${'\\\\'.repeat(n)}"`,
      (n: number) => `[${'"",'.repeat(n)}""]`,
      (n: number) => `"${'\\'.repeat(2 * n)}`,
      (n: number) => `{${'"a":1,'.repeat(n / 4)}"a":1}`,
    ]) {
      assertLinear(make(2), (n) => bytes(make(n)), read, 50_000);
    }
  });
});
