import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tagRanges } from '../../../../shared/detection/passages/tag-ranges.ts';

const enclosed = (text: string): string[] =>
  tagRanges(text).map(({ start, end, marking }) => `${marking}: ${text.slice(start, end)}`);

test('a closing tag matches the last opening one of its name', () => {
  assert.deepEqual(enclosed('<page>a<page>b</page>c</page>'), ['document: a<page>b</page>c', 'document: b']);
  assert.deepEqual(enclosed('in <page> tags: <page>b</page>'), ['document: b']);
  assert.deepEqual(enclosed('<page>a<email>b</page>c</email>'), [
    'document: a<email>b',
    'document: b</page>c',
  ]);
});

test('an extra closing tag extends the last range', () => {
  assert.deepEqual(enclosed('<page>a</page>b</page>c'), ['document: a</page>b']);
  assert.deepEqual(enclosed('</page>a'), []);
});

test('an opening tag alone on its line counts even if it is never closed', () => {
  assert.deepEqual(enclosed('<page>\na\n<page>\nb'), ['document: \na\n', 'document: \nb']);
  assert.deepEqual(enclosed('the <page> tag'), []);
});

test('a URL attribute marks an unknown tag as a document; placeholders and empty tags enclose nothing', () => {
  assert.deepEqual(enclosed('<x url="https://a.example">a</x>'), ['document: a']);
  assert.deepEqual(enclosed('<x class="y">a</x><page of text>a</page of text><page/>a'), []);
});
