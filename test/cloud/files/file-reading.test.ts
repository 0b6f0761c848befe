import assert from 'node:assert/strict';
import { it } from 'node:test';
import { GatheredFile } from '../../../apps/cloud/src/files/file-reading.ts';
import { unread, visible } from '../../../apps/cloud/src/files/file-text.ts';

it('joins visible texts, keeps other parts apart, and reports each problem once', () => {
  const file = new GatheredFile();
  file.add(visible('one'));
  file.add({ texts: [{ part: 'attribute', text: 'note' }], isEmptyPage: true });
  file.add({ texts: [{ part: 'attribute', text: 'note' }], isEmptyPage: true });
  file.add(visible('two'));
  for (let i = 0; i < 3; i++) file.add(unread('encrypted', 'it is locked'));
  assert.deepEqual(file.reading(), {
    texts: [
      { part: 'visible', text: 'one\ntwo' },
      { part: 'attribute', text: 'note' },
    ],
    unread: [
      { reason: 'encrypted', why: 'it is locked', mayHold: 'text' },
      { reason: 'no_text_extracted', why: '2 pages contain no text', mayHold: 'media' },
    ],
  });
  assert.deepEqual([file.pieces, file.characters], [7, 14]);
});

it('limits a text to a million characters, and the number of texts to a few thousand', () => {
  const file = new GatheredFile();
  file.add(visible('a'.repeat(2_500_000)));
  for (let i = 0; i < 5_000; i++) file.add({ texts: [{ part: 'meta', text: `note ${i}` }] });
  const { texts } = file.reading();
  assert.deepEqual(
    texts.slice(0, 3).map(({ text }) => text.length),
    [1_000_000, 1_000_000, 500_000],
  );
  assert.equal(texts.length, 4 + 4_000);
  assert.ok(texts[3]?.text.endsWith('note 4999'));
});
