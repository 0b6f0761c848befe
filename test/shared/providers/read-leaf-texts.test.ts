import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLeafTexts } from '@csg/shared/providers';

test('every leaf and every foreign name of a body nobody knows is read, in one role', () => {
  const body = { draft: { pieces: ['one two', { secretName: 'three four' }] }, count: 3, model: 'm-1-large' };
  const texts = readLeafTexts(body).slots.map(({ path, role, text }) => [path, role, text]);
  assert.deepEqual(texts, [
    ['/draft~key', 'user', 'draft'],
    ['/draft/pieces~key', 'user', 'pieces'],
    ['/draft/pieces/0', 'user', 'one two'],
    ['/draft/pieces/1/secretName~key', 'user', 'secretName'],
    ['/draft/pieces/1/secretName', 'user', 'three four'],
    ['/count~key', 'user', 'count'],
    ['/model', 'user', 'm-1-large'],
  ]);
});

test('a body that is one string is one text', () => {
  assert.deepEqual(
    readLeafTexts('hello there', 'document').slots.map(({ role, text }) => [role, text]),
    [['document', 'hello there']],
  );
});
