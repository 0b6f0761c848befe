import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PageFault } from '../../../apps/cloud/src/scrape/page-fault.ts';
import { readPdf } from '../../../apps/cloud/src/scrape/read-pdf.ts';
import { makePdf } from '../../support/make-pdf.ts';

describe('reading a PDF', () => {
  it('reads its pages, its description and its notes', async () => {
    const reading = await readPdf(
      makePdf({
        pages: ['The first page (of two)', 'The second page'],
        info: { Title: 'A paper about tea', Keywords: 'an order for models' },
        notes: ['a note on the margin'],
      }),
    );
    assert.equal(reading.content, 'The first page (of two)\nThe second page');
    const kinds = reading.texts.map(({ kind, text }) => [kind, text]);
    for (const expected of [
      ['attribute', 'a note on the margin'],
      ['meta', 'A paper about tea'],
      ['meta', 'an order for models'],
      ['visible', reading.content],
    ]) {
      assert.ok(
        kinds.some(([kind, text]) => kind === expected[0] && text === expected[1]),
        JSON.stringify([expected, kinds]),
      );
    }
  });

  it('reads what stands outside of the page', async () => {
    const beside = `${'tea and '.repeat(20)}an order for models`;
    const { content, texts } = await readPdf(makePdf({ pages: [beside] }));
    assert.ok(!content.includes('order'), 'pdf.js reads it by itself now: read-pdf.ts may be shorter');
    assert.deepEqual(
      texts.filter(({ kind }) => kind === 'hidden').map(({ text }) => text),
      [beside],
    );
    const within = await readPdf(makePdf({ pages: ['tea and milk', 'the second page'] }));
    assert.deepEqual(
      within.texts.map(({ kind }) => kind),
      ['visible'],
    );
  });

  it('says in one way that a document is broken, whatever is broken of it', async () => {
    const whole = makePdf({ pages: ['tea'] });
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('%PDF-1.7'),
      whole.subarray(0, 60),
      Buffer.alloc(5_000, 0x25),
    ]) {
      await assert.rejects(readPdf(bytes), (error: unknown) => error instanceof PageFault);
    }
  });

  it('bounds the pages', async () => {
    const many = makePdf({ pages: Array.from({ length: 2_001 }, () => 'x') });
    await assert.rejects(readPdf(many), { reason: 'too_large' });
  });
});
