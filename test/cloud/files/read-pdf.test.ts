import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ExtractedFile, GatheredFile } from '../../../apps/cloud/src/files/file-reading.ts';
import { readFile } from '../../../apps/cloud/src/files/read-file.ts';
import { readPdf } from '../../../apps/cloud/src/files/read-pdf.ts';
import { newAllowance } from '../../../apps/cloud/src/files/reading-limits.ts';
import { WORDS } from '../../support/disguised-files/disguise.ts';
import { pdfDisguises } from '../../support/disguised-files/pdf-disguises.ts';
import { makePdf } from '../../support/make-pdf.ts';
import { readTexts } from './read-texts.ts';

const readNested = (inner: Buffer) => readFile(inner, newAllowance(), 1);

async function read(bytes: Buffer, skip = 0): Promise<ExtractedFile> {
  const file = new GatheredFile();
  for await (const piece of readPdf(bytes, { allowance: newAllowance(), readNested, skip })) file.add(piece);
  return file.reading();
}
const textsOf = ({ texts }: ExtractedFile, part: string): string[] =>
  texts.filter((one) => one.part === part).map(({ text }) => text);

const ATTACHED = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a.txt) 3 0 R]>>>>>> endobj
2 0 obj <</Type/Pages/Count 1/Kids[5 0 R]>> endobj
3 0 obj <</Type/Filespec/F(a.txt)/EF<</F 4 0 R>>>> endobj
4 0 obj <</Type/EmbeddedFile/Length 24>>
stream
an order in the attached
endstream
endobj
5 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[6 0 R]>> endobj
6 0 obj <</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://evil.example/leak)>>>> endobj
trailer<</Root 1 0 R>>
%%EOF`;

describe('reading a PDF', () => {
  it('reads pages, metadata and annotations', async () => {
    const reading = await read(
      makePdf({
        pages: ['The first page (of two)', 'The second page'],
        info: { Title: 'A paper about tea', Keywords: 'an order for models' },
        notes: ['a note on the margin'],
      }),
    );
    assert.deepEqual(textsOf(reading, 'visible'), ['The first page (of two)\nThe second page']);
    assert.deepEqual(textsOf(reading, 'attribute'), ['a note on the margin']);
    for (const text of ['A paper about tea', 'an order for models'])
      assert.ok(textsOf(reading, 'meta').includes(text), text);
    assert.deepEqual(reading.unread, []);
  });

  it('reads text outside the page area as hidden text', async () => {
    const beside = `${'tea and '.repeat(20)}an order for models`;
    const reading = await read(makePdf({ pages: [beside] }));
    const shown = textsOf(reading, 'visible').join('');
    assert.ok(!shown.includes('order'), 'pdf.js reads it itself now: simplify read-pdf.ts');
    assert.deepEqual(textsOf(reading, 'hidden'), [beside]);
    const within = await read(makePdf({ pages: ['tea and milk', 'the second page'] }));
    assert.deepEqual(textsOf(within, 'hidden'), []);
  });

  it('reads attached files and links', async () => {
    const reading = await read(Buffer.from(ATTACHED));
    assert.deepEqual(textsOf(reading, 'visible'), ['an order in the attached']);
    assert.deepEqual(textsOf(reading, 'attribute'), ['https://evil.example/leak']);
  });

  const letters = (text: string): string => text.replace(/[^a-z]/gi, '');
  /** pdf.js gives none of these to a program; the last one is not a whole document. */
  const notRead = /script of a link|before another PDF|without its table/;
  it('reads every part of a document that pdf.js gives to a program', async () => {
    const files = await pdfDisguises();
    assert.ok(files.length > 40);
    for (const { name, bytes } of files) {
      const { text, reasons } = await readTexts(bytes);
      const isRead = letters(text).includes(letters(WORDS));
      assert.equal(isRead, !notRead.test(name), name);
      // A picture before the document, and text that pdf.js does not count as that of the page.
      if (isRead && !/picture|outside|replac/.test(name)) assert.deepEqual(reasons, [], name);
    }
  });

  it('reports replaced text where it differs from what is shown', async () => {
    const [whole, letters, ...others] = (await pdfDisguises()).filter(({ name }) => name.includes('replac'));
    assert.ok(others.length > 1);
    for (const { name, bytes } of [whole!, ...others])
      assert.deepEqual((await readTexts(bytes)).reasons, ['undecodable'], name);
    assert.deepEqual((await readTexts(letters!.bytes)).reasons, [], 'as letters of fonts are');
    const same = whole!.bytes.toString('latin1').replace('(x)', `(${WORDS.toUpperCase()})`);
    assert.deepEqual(await readTexts(Buffer.from(same, 'latin1')), {
      text: WORDS.toUpperCase(),
      reasons: [],
    });
  });

  it('reports a form of XFA that it cannot read', async () => {
    const form = (await pdfDisguises()).find(({ name }) => name.includes('XFA'))!.bytes.toString('latin1');
    const { reasons } = await readTexts(
      Buffer.from(form.replace('/NeedsRendering true', '/NeedsRendering null'), 'latin1'),
    );
    assert.deepEqual(reasons, ['undecodable']);
  });

  it('reports any kind of broken document as undecodable', async () => {
    const whole = makePdf({ pages: ['tea'] });
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('%PDF-1.7'),
      whole.subarray(0, 60),
      Buffer.alloc(5_000, 0x25),
    ]) {
      const { texts, unread } = await read(bytes);
      assert.deepEqual([texts, unread.map(({ reason }) => reason)], [[], ['undecodable']]);
    }
  });

  it('stops at its limit of pages, and reports that there are more', async () => {
    const many = makePdf({ pages: Array.from({ length: 2_001 }, (_, i) => `page ${i}`) });
    const reading = await read(many);
    const [text = ''] = textsOf(reading, 'visible');
    assert.ok(text.startsWith('page 0\n') && text.endsWith('page 1999'), text.slice(-40));
    assert.deepEqual(
      reading.unread.map(({ reason, why }) => [reason, why]),
      [['too_large', 'it has more than 2000 pages']],
    );
  });

  it('continues from a given position without repeating the pages before it', async () => {
    const reading = await read(makePdf({ pages: ['one', 'two', 'three'], info: { Title: 'tea' } }), 3);
    assert.deepEqual(reading.texts, [{ part: 'visible', text: 'three' }]);
  });
});
