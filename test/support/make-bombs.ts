import { gzipSync } from 'node:zlib';
import { makeHeavyPdf } from './make-heavy-pdf.ts';
import { makeDocx, makeXlsx } from './make-office.ts';
import { makeZip } from './make-zip.ts';

const MIB = 1024 * 1024;

/** Small files that are expensive to read, with a text that a reader finds first in each. */
export const BOMBS: Readonly<Record<string, (text: string) => Buffer | Promise<Buffer>>> = {
  'a PDF of heavy pages': (text) => makeHeavyPdf(text, 400, 60_000),
  'a PDF of one heavy page': (text) => makeHeavyPdf(text, 2, 3_000_000),
  'a packed text': (text) => gzipSync(long(text)),
  'a packed text, packed again': (text) => gzipSync(gzipSync(long(text))),
  'an archive of one large file': (text) => makeZip({ 'a.txt': text, 'b.txt': long('tea') }),
  'an archive whose files overlap': async (text) =>
    overlapping(await makeZip({ 'a.txt': `${text}\n${'tea '.repeat(MIB)}` }), 2_000),
  'archives in archives': async (text) => {
    let nested = await makeZip({ 'a.txt': text });
    for (let depth = 0; depth < 20; depth++) nested = await makeZip({ 'a.txt': text, 'b.zip': nested });
    return nested;
  },
  'a document of entities': (text) => {
    const entity = (i: number): string => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`;
    const entities = Array.from({ length: 20 }, (_, i) => entity(i)).join('');
    const bomb = `<!DOCTYPE a [<!ENTITY a0 "tea">${entities}]><a>&a20;</a>`;
    return makeDocx([text], { 'word/bomb.xml': bomb });
  },
  'a document nested deep': (text) => makeDocx([text], { 'word/deep.xml': '<a>'.repeat(2_000_000) }),
  'a document of ends': (text) =>
    makeDocx([text], { 'word/ends.xml': `${'<a>'.repeat(900)}${'</b>'.repeat(1_000_000)}` }),
  'a document of attributes': (text) => {
    const attributes = Array.from({ length: 300_000 }, (_, i) => `a${i}="the tea number ${i}"`);
    return makeDocx([text], { 'word/many.xml': `<a ${attributes.join(' ')}/>` });
  },
  'a sheet that says a long text again and again': (text) =>
    makeXlsx([], {
      'xl/sharedStrings.xml': `<sst><si><t>${text} ${'tea '.repeat(MIB / 4)}</t></si></sst>`,
      'xl/worksheets/sheet2.xml': `<worksheet>${'<row><c t="s"><v>0</v></c></row>'.repeat(50_000)}</worksheet>`,
    }),
};

const long = (text: string): Buffer =>
  Buffer.concat([Buffer.from(`${text}\n`), Buffer.alloc(150 * MIB, 'tea ')]);

/** The same file under `count` entries of the archive's directory. */
function overlapping(zip: Buffer, count: number): Buffer {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const from = zip.readUInt32LE(end + 16);
  const entry = zip.subarray(from, end);
  const tail = Buffer.from(zip.subarray(end));
  tail.writeUInt16LE(count, 8);
  tail.writeUInt16LE(count, 10);
  tail.writeUInt32LE(entry.length * count, 12);
  return Buffer.concat([zip.subarray(0, from), ...Array.from({ length: count }, () => entry), tail]);
}
