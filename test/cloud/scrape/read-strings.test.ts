import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readStrings } from '../../../apps/cloud/src/scrape/read-strings.ts';

function stringsOf(code: string): string[] {
  const found: string[] = [];
  readStrings(code, (text) => found.push(text));
  return found;
}

it('finds string literals and comments', () => {
  assert.deepEqual(stringsOf(`a="one";b='t"wo';c=\`th\nree\`;/* four */ d(); // five\ne="six"`), [
    'one',
    't"wo',
    'th\nree',
    ' four ',
    ' five',
    'six',
  ]);
  assert.deepEqual(stringsOf('{"a":{"b":["c\\u0064"]}}'), ['a', 'b', 'cd']);
  assert.deepEqual(stringsOf('p::after{content:"x";background:url(https://a.example/b)}'), ['x']);
  assert.deepEqual(stringsOf("'it\\'s \\x41 \\u{1F600} \\n end'"), ["it's A 😀   end"]);
});

it('continues after quotes that open nothing', () => {
  assert.deepEqual(stringsOf('r=/["\']/;\nb="next"').at(-1), 'next');
  assert.deepEqual(stringsOf('"never closed'), ['never closed']);
  assert.deepEqual(stringsOf('/* never closed'), [' never closed']);
  assert.deepEqual(stringsOf('"\\'), ['\\']);
});
