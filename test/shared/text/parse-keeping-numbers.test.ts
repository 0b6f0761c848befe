import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseKeepingNumbers } from '../../../shared/text/index.ts';

test('numbers that a double cannot represent are converted from their digits, others stay numbers', () => {
  const json = '{"a":[9007199254740993,-1e400,9007199254740991,0.1,"9007199254740993"],"b":null}';
  assert.deepEqual(
    parseKeepingNumbers(json, (written) => ({ written })),
    {
      a: [{ written: '9007199254740993' }, { written: '-1e400' }, 9007199254740991, 0.1, '9007199254740993'],
      b: null,
    },
  );
  assert.throws(() => parseKeepingNumbers('{', String), SyntaxError);
});
