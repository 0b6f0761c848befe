import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleText } from '../../../shared/text/index.ts';

test('what a reader would not see is written as its number', () => {
  assert.equal(visibleText('pay\u202ekcuB\u202c'), 'pay\\u{202e}kcuB\\u{202c}');
  assert.equal(visibleText('\u001b[2Kok\r\u0000\u200b\ufeff'), '\\u{1b}[2Kok\\u{d}\\u{0}\\u{200b}\\u{feff}');
  assert.equal(visibleText('a\u{e0041}b\u3164'), 'a\\u{e0041}b\\u{3164}');
  assert.equal(visibleText('two\nlines\tGrüße 東京'), 'two\nlines\tGrüße 東京');
});
