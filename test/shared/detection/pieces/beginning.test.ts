import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginning, NO_WORD } from '../../../../shared/detection/pieces/beginning.ts';

test('a text begins with plain words, with something else, or has not begun', () => {
  for (const text of ['The report is', '\n\n**Checking the ', '. And so ', 'Это очень просто', 'It is, you '])
    assert.equal(beginning(text), 'plain', text);
  for (const text of ['', 'The', 'The report', '. ', 'It is', '**Checking'])
    assert.equal(beginning(text), 'open', text);
  for (const text of [
    '7QWERTYU and so',
    'DNN7QWERTYU',
    'a dot com ',
    '4111 1111 ',
    `${'x'.repeat(40)}`,
    'The 4111 ',
    '/path/to/it is ',
  ])
    assert.notEqual(beginning(text), 'plain', text);
  assert.ok(NO_WORD.test(', ') && NO_WORD.test('') && !NO_WORD.test('a'));
});
