import { gzipSync } from 'node:zlib';
import { makeHeavyPdf } from './make-heavy-pdf.ts';
import { makeDocx, makeXlsx } from './make-office.ts';
import { makeZip } from './make-zip.ts';

const MIB = 1024 * 1024;

/** Small files that cost much to read, each with `text` where a reader finds it first. */
export async function makeBombs(text: string): Promise<Readonly<Record<string, Buffer>>> {
  const large = Buffer.alloc(150 * MIB, 'tea ');
  const entities = Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join(
    '',
  );
  let nested = await makeZip({ 'a.txt': text });
  for (let depth = 0; depth < 20; depth++) nested = await makeZip({ 'a.txt': text, 'b.zip': nested });
  return {
    'a PDF of heavy pages': makeHeavyPdf(text, 400, 60_000),
    'a PDF of one heavy page': makeHeavyPdf(text, 2, 3_000_000),
    'a packed text': gzipSync(Buffer.concat([Buffer.from(`${text}\n`), large])),
    'a packed text, packed again': gzipSync(gzipSync(Buffer.concat([Buffer.from(`${text}\n`), large]))),
    'an archive of one large file': await makeZip({ 'a.txt': text, 'b.txt': large }),
    'an archive whose files overlap': overlapping(
      await makeZip({ 'a.txt': `${text}\n${'tea '.repeat(MIB)}` }),
      2_000,
    ),
    'archives in archives': nested,
    'a document of entities': await makeDocx([text], {
      'word/bomb.xml': `<!DOCTYPE a [<!ENTITY a0 "tea">${entities}]><a>&a20;</a>`,
    }),
    'a document nested deep': await makeDocx([text], { 'word/deep.xml': '<a>'.repeat(2_000_000) }),
    'a document of ends': await makeDocx([text], {
      'word/ends.xml': `${'<a>'.repeat(900)}${'</b>'.repeat(1_000_000)}`,
    }),
    'a document of attributes': await makeDocx([text], {
      'word/many.xml': `<a ${Array.from({ length: 300_000 }, (_, i) => `a${i}="the tea number ${i}"`).join(' ')}/>`,
    }),
    'a sheet that says a long text again and again': await makeXlsx(
      Array.from({ length: 20_000 }, (): string[] => [text]),
      {
        'xl/sharedStrings.xml': `<sst><si><t>${text} ${'tea '.repeat(MIB / 4)}</t></si></sst>`,
        'xl/worksheets/sheet2.xml': `<worksheet>${'<row><c t="s"><v>0</v></c></row>'.repeat(50_000)}</worksheet>`,
      },
    ),
  };
}

/** The same file under `count` entries of the list at the archive's end. */
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
