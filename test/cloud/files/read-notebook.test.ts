import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WORDS } from '../../support/disguised-files/disguise.ts';
import { textDisguises } from '../../support/disguised-files/text-disguises.ts';
import { readTexts } from './read-texts.ts';

it('joins what a notebook cuts within a line, and reads whole lines once', async () => {
  const notebooks = (await textDisguises()).filter(({ extension }) => extension === 'ipynb');
  assert.ok(notebooks.length > 4);
  for (const { name, bytes } of notebooks) {
    const { text, reasons } = await readTexts(bytes);
    assert.ok(text.includes(WORDS), name);
    assert.deepEqual(reasons, [], name);
  }
  const whole = JSON.stringify({
    cells: [{ metadata: { tags: ['a', 'b'] }, source: ['x = 1\n', 'print(x)'] }],
  });
  assert.deepEqual(await readTexts(Buffer.from(whole)), { text: whole, reasons: [] });
});

it('reports a notebook that only lenient readers open', async () => {
  const { text, reasons } = await readTexts(Buffer.from('{"cells": [{"source": ["a", "b"], "n": NaN}]}'));
  assert.deepEqual(reasons, ['undecodable']);
  assert.ok(text.includes('"b"'), 'its text is read as it stands');
});
