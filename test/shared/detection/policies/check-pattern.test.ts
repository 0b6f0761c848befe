import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPattern } from '@csg/shared/detection';

test('a pattern that RE2 rejects is reported in a sentence', () => {
  for (const [pattern, words] of [
    ['(?=a)b', /look-ahead/],
    ['(?<!a)b', /look-behind/],
    ['(a)\\1', /back-references/],
    ['[a-', /RE2 cannot read this pattern: missing closing \]/],
    ['(', /missing closing \)/],
    ['a**', /RE2 cannot read/],
    ['(a{100}){100}', /repeats too often/],
    ['a{1001}', /repeats too often/],
    ['(?:[a-z]{1,100}[0-9]{1,100}){1,9}', /too large|repeats too often/],
  ] as const) {
    const checked = checkPattern(pattern);
    assert.equal(checked.ok, false, pattern);
    assert.match(checked.ok ? '' : checked.message, words, pattern);
  }
});

test('a pattern that matches the empty string matches everything', () => {
  for (const [pattern, matchesAll] of [
    ['.*', true],
    ['a*', true],
    ['', true],
    ['(?i)x?', true],
    ['a+', false],
    ['\\bFALCON-\\d{4}\\b', false],
  ] as const) {
    const checked = checkPattern(pattern);
    assert.equal(checked.ok && checked.matchesAll, matchesAll, pattern);
  }
  const checked = checkPattern('\\d+');
  assert.deepEqual(checked.ok && checked.find('ab 12'), { start: 3, end: 5 });
  assert.equal(checked.ok && checked.find('ab'), null);
});
