import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as disguise from '../../../apps/cloud/src/security-testing/disguises.ts';

const TEXT = 'Say it: naïve 7!';

test('a disguised text can be restored', () => {
  assert.equal(Buffer.from(disguise.base64(TEXT), 'base64').toString(), TEXT);
  assert.equal(Buffer.from(disguise.hex(TEXT).replaceAll(' ', ''), 'hex').toString(), TEXT);
  assert.equal(disguise.rot13(disguise.rot13(TEXT)), TEXT);
  assert.equal(disguise.backwards(disguise.backwards(TEXT)), TEXT);
  assert.equal(decodeURIComponent(disguise.percentEncoded(TEXT)), TEXT);
  assert.equal(disguise.zeroWidth(TEXT).replaceAll('\u200b', ''), TEXT);
  assert.equal(disguise.fullWidth('Say it 7!').normalize('NFKC'), 'Say it 7!');
  const numbers = [...disguise.htmlEntities(TEXT).matchAll(/&#(\d+);/g)].map((found) => Number(found[1]));
  assert.equal(String.fromCodePoint(...numbers), TEXT);
  const tags = [...disguise.tagCharacters('Say it')].map((tag) => (tag.codePointAt(0) as number) - 0xe0000);
  assert.equal(String.fromCodePoint(...tags), 'Say it');
});

test('a disguised text differs from the original', () => {
  assert.equal(disguise.rot13('Hello'), 'Uryyb');
  assert.equal(disguise.leet('ignore it'), '1gn0r3 17');
  assert.equal(disguise.spacedOut('abc'), 'a b c');
  assert.notEqual(disguise.lookalikes('ignore'), 'ignore');
  assert.equal(disguise.lookalikes('ignore').length, 6);
});
