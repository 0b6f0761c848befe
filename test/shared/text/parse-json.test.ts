import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parse as parseTolerantly } from 'jsonc-parser';
import { parseJson } from '../../../shared/text/parse-json.ts';
import { parseStrictJsonText } from '../../../shared/text/strict-json.ts';
import { assertLinear } from '../../support/cpu-time.ts';

/** Makes V8 cache names, which breaks its next parse. */
const PRIMERS = [
  '{"m":1,"k\\\\":1}',
  '{"role":1,"conten\\\\":1}',
  '[{"a":1,"b\\"":2}]',
  '{"a\\/b":{"c\\\\":1}}',
];
const prime = (): void => {
  for (const primer of PRIMERS) JSON.parse(primer);
};

describe('names with escapes', () => {
  test('are read as written, whatever was parsed before', () => {
    for (const [source, names] of [
      ['{"m":1,"k\\n":1}', ['m', 'k\n']],
      ['{"m":1,"k\\u0000":1}', ['m', 'k\0']],
      ['{"m":1,"k\\\\":1}', ['m', 'k\\']],
      ['{"role":1,"conten\\u0074":1}', ['role', 'content']],
      ['{"role":1,"conten\\t":1}', ['role', 'conten\t']],
      ['{"\\u005f_proto__":{"x":1},"a\\"":2}', ['__proto__', 'a"']],
      ['{"\ue000":1,"\ue0000":2,"b\\n":3}', ['\ue000', '\ue0000', 'b\n']],
      ['{"a" \n:1,"b\\n"\t:2}', ['a', 'b\n']],
    ] as const) {
      prime();
      assert.deepEqual(Object.keys(parseJson(source) as object), names, source);
    }
  });

  test('a name repeated in two spellings is still a duplicate', () => {
    prime();
    assert.throws(() => parseStrictJsonText('{"k\\n":1,"k\\u000a":2}'), { reason: 'duplicate_key' });
    assert.throws(() => parseStrictJsonText('{"a":1,"\\u0061":2}'), { reason: 'duplicate_key' });
  });

  test('invalid JSON stays invalid', () => {
    for (const source of [
      '{"a\\":1}',
      '{"a\\x":1}',
      '{"a\\n" 1}',
      '{"a\\n":}',
      '"a\\n":1',
      '\\',
      '{"a\\n":1,}',
    ]) {
      assert.throws(() => parseJson(source), SyntaxError, source);
    }
  });

  test('any value is read back, in a process that has parsed many names', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'k', '\\', '\n', '"', '\0', '/', '\u00e9', '\ue000'),
    });
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.integer(),
        name,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(value, fc.boolean(), (wanted, spaced) => {
        prime();
        const source = JSON.stringify(wanted, null, spaced ? 1 : undefined);
        assert.deepEqual(parseJson(source), parseTolerantly(source));
      }),
      { seed: 11, numRuns: 3_000 },
    );
  });

  test('a long body of such names takes linear time', () => {
    const body = (count: number): string =>
      `{${Array.from({ length: count }, (_, i) => `"name\\n${i}":"\\ue000"`).join(',')}}`;
    assertLinear('names', body, parseJson, 4_000);
  });
});
