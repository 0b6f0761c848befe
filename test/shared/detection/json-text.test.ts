import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonText } from '../../../shared/detection/json-text.ts';
import { finish } from '../../../shared/text/index.ts';
import { pausesOf } from '../../support/pauses.ts';

test('a text is JSON as one value, or with one on each line', () => {
  for (const text of ['{"a":1}', ' [1]\n', '"a"', '{"a":1}\n\n[2]\n', '{"a":1}\r\n"b"', '{\n"a":\n1}'])
    assert.ok(finish(isJsonText(text)), text);
  for (const text of ['', '1', 'a', '{"a":1}\n2', '{"a":1} x', '{"a":1}\n{', '[1] [2]'])
    assert.ok(!finish(isJsonText(text)), text);
});

test('many members and lines are read in steps', () => {
  const members = `{${Array.from({ length: 100_000 }, (_, n) => `"n${n}":0`).join(',')}}`;
  assert.ok(pausesOf(isJsonText(members)) >= members.length / 20_000);
  assert.ok(pausesOf(isJsonText('{"a":1}\n'.repeat(100_000))) >= 1_500);
});
