import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { readReplacements } from '../../../apps/cloud/src/files/pdf-replacements.ts';
import { newAllowance } from '../../../apps/cloud/src/files/reading-limits.ts';
import { assertBounded } from '../../support/cpu-time.ts';

const read = (content: string | Buffer, shown = '', mayBeElsewhere = true) => {
  const { texts, unread } = readReplacements(Buffer.from(content), shown, mayBeElsewhere, newAllowance());
  return { texts: texts.map(({ text }) => text), isReported: unread !== undefined };
};
const packed = (content: string, filter = '/FlateDecode'): Buffer =>
  Buffer.concat([
    Buffer.from(`4 0 obj <</Filter ${filter}>>\nstream\r\n`),
    deflateSync(content),
    Buffer.from('\nendstream'),
  ]);

describe('texts that replace marked text of a PDF', () => {
  it('are read in every spelling', () => {
    for (const [written, text] of [
      ['/ActualText(a (nested) order)', 'a (nested) order'],
      ['/ActualText <616e206f72646572>', 'an order'],
      ['/ActualText<FEFF0061006e>', 'an'],
      ['/#41ctual#54ext (\\101\\n\\)\\\nb)', 'A\n)b'],
      ['/ActualText (\xef\xbb\xbfcaf\xc3\xa9)', 'café'],
    ] as const) {
      assert.deepEqual(read(Buffer.from(written, 'latin1')).texts, [text], written);
      assert.deepEqual(read(packed(written)).texts.length, 1, written);
    }
  });

  it('are those that the pages do not show; ligatures are no difference', () => {
    assert.deepEqual(read('/ActualText (ffi)/ActualText (fl)', 'oﬃce ﬂoor'), {
      texts: ['ffifl'],
      isReported: false,
    });
    assert.deepEqual(read('/ActualText (Office)', 'the oﬃce'), { texts: [], isReported: false });
    assert.deepEqual(read('/ActualText (an order)', 'tea'), { texts: ['an order'], isReported: true });
  });

  it('are reported where they may be in a part that is not unpacked', () => {
    assert.equal(read(packed('x', '/LZWDecode').fill(1, 45)).isReported, true);
    assert.equal(read(packed('x', '/LZWDecode').fill(1, 45), '', false).isReported, false);
    assert.equal(read('/ActualText 12 0 R').isReported, true);
    assert.equal(read(packed('x')).isReported, false);
  });

  it('are searched in bounded time', () => {
    const cases = [
      '/ActualText (',
      '/ActualText <00 ',
      'stream\n',
      '/Filter stream\r\n',
      '/ActualText (abcde)',
    ];
    const nested = `${'/ActualText('.repeat(15_000)}${')'.repeat(15_000)}`;
    assertBounded(
      [
        ...cases.map((piece) => [piece, () => read(piece.repeat(200_000 / piece.length))] as const),
        ['/ActualText( within another', () => read(nested)],
      ],
      { boundMs: 1_000, ratio: 100, harmless: () => read('tea '.repeat(50_000)) },
    );
  });
});
