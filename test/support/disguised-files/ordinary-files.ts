/** Ordinary files of many kinds, in several languages, as common programs make them. */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { makePdf } from '../make-pdf.ts';
import { makeZip } from '../make-zip.ts';
import { base64Lines } from './disguise.ts';
import { pptx } from './office-packages.ts';

/** Name, with the extension that says how it was made, and content. */
export type OrdinaryFile = readonly [name: string, bytes: Buffer];

const LINES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  English: ['The harvest of tea was small this year, and prices rose a little.'],
  German: [
    'Die Ernte war klein, und die Preise für grünen Tee stiegen. ÜBERSICHT: Größe, Straße.',
    'windows-1252',
  ],
  Russian: [
    'Урожай чая в этом году был небольшим, и цены немного выросли.',
    'windows-1251',
    'koi8-r',
    'ibm866',
  ],
  Greek: ['Η συγκομιδή του τσαγιού ήταν μικρή φέτος.', 'windows-1253'],
  Hebrew: ['יבול התה היה קטן השנה והמחירים עלו מעט.', 'windows-1255'],
  Czech: ['Sklizeň čaje byla letos malá. Příliš žluťoučký kůň úpěl ďábelské ódy.', 'windows-1250'],
  Thai: ['การเก็บเกี่ยวชาในปีนี้มีน้อย', 'windows-874'],
  Japanese: ['今年の茶の収穫は少なく、価格は少し上がりました。'],
  Chinese: ['今年的茶叶收成很少,价格略有上涨。'],
  Korean: ['올해 차 수확량이 적어 가격이 조금 올랐습니다.'],
};

/** The text in a character set of one byte for each character. */
function encode(text: string, charset: string): Buffer {
  const decoder = new TextDecoder(charset);
  const codes = new Map(
    Array.from({ length: 256 }, (_, code) => [decoder.decode(Uint8Array.of(code)), code]),
  );
  return Buffer.from([...text].map((sign) => codes.get(sign) ?? 63));
}

/** Files that need no other program. */
export async function plainFiles(): Promise<OrdinaryFile[]> {
  const files: OrdinaryFile[] = [];
  for (const [language, [line, ...charsets]] of Object.entries(LINES)) {
    const text = `${line}\n`.repeat(15);
    const add = (name: string, content: string | Buffer): void =>
      void files.push([`${language} ${name}`, Buffer.from(content)]);
    add('a.txt', text);
    add('mark.csv', `\ufeff${text.replaceAll(' ', ';')}`);
    add('wide.txt', Buffer.from(`\ufeff${text}`, 'utf16le'));
    add('a.md', `# ${line}\n\n* ${line}\n\n\`\`\`\n${text}\`\`\`\n`);
    add(
      'a.html',
      `<!doctype html><html><head><title>${line}</title></head><body><p>${line}<br>${line}</p></body></html>`,
    );
    add('a.json', JSON.stringify({ title: line, items: [line, 7, null] }, null, 2));
    add('a.xml', `<?xml version="1.0" encoding="UTF-8"?><list><item name="a">${line}</item></list>`);
    add(
      'a.svg',
      `<svg xmlns="http://www.w3.org/2000/svg"><title>${line}</title><text x="1" y="9">${line}</text></svg>`,
    );
    add('a.ics', `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:${line}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`);
    add('a.vcf', `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna\r\nNOTE;CHARSET=UTF-8:${line}\r\nEND:VCARD\r\n`);
    add('a.log', `2026-11-30T00:00:00Z \x1b[32minfo\x1b[0m ${line}\n`.repeat(9));
    add('a.txt.gz', gzipSync(text));
    add('a.zip', await makeZip({ 'a.txt': text, 'b/c.csv': text }));
    add('a.pdf', makePdf({ pages: ['The harvest of tea was small.'], info: { Title: line }, notes: [line] }));
    add('a.pptx', await pptx({ slide: line, notes: line }));
    add(
      'plain.eml',
      `From: a@example.com\r\nSubject: Tea\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
    );
    add(
      'coded.eml',
      `From: a@example.com\r\nSubject: =?utf-8?B?${Buffer.from(line).toString('base64')}?=\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(text)}`,
    );
    add(
      'a.rtf',
      `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\\pard\\fs24 ${[...line].map((sign) => (sign > '~' ? `\\u${sign.charCodeAt(0)}?` : sign)).join('')}\\par}`,
    );
    for (const charset of charsets) add(`${charset}.txt`, encode(text, charset));
  }
  const noted = 'Note: the header Content-Transfer-Encoding: base64 is in RFC 2045.\nSubject: tea\n';
  files.push(
    ['about emails.txt', Buffer.from(noted)],
    [
      'about PDF.md',
      Buffer.from(`${'words '.repeat(300)}\nIt starts with %PDF-1.7 and ends with startxref.\n`),
    ],
    ['about RTF.md', Buffer.from('A document starts with {\\rtf1 and has \\par in it.\n')],
    [
      'requests.http',
      Buffer.from('Host: example.com\nContent-Type: application/json; charset=utf-8\n\n{"a":1}\n'),
    ],
  );
  return files;
}

/** Documents, workbooks and emails as python-docx, openpyxl and Python's email package make them. */
export async function pythonFiles(
  python: string,
  folder: string,
  count: number,
  seed: number,
): Promise<OrdinaryFile[]> {
  const script = path.join(import.meta.dirname, 'make_ordinary.py');
  const { status } = spawnSync(python, [script, folder, String(count), String(seed)], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`make_ordinary.py ended with ${status}`);
  return filesIn(folder, /^\d+\./);
}

/** Documents and workbooks of `folder` as LibreOffice writes them in other formats. */
export async function convertedFiles(libreOffice: string, folder: string): Promise<OrdinaryFile[]> {
  const names = await readdir(folder);
  const converted: OrdinaryFile[] = [];
  for (const [from, formats] of [
    ['.docx', ['rtf', 'odt', 'pdf', 'html', 'docx', 'epub']],
    ['.xlsx', ['ods', 'pdf', 'xlsx', 'csv']],
  ] as const) {
    const sources = names.filter((name) => name.endsWith(from)).map((name) => path.join(folder, name));
    for (const format of formats) {
      const out = path.join(folder, `${from.slice(1)}-${format}`);
      await mkdir(out);
      const profile = `-env:UserInstallation=file://${path.join(folder, 'profile')}`;
      spawnSync(libreOffice, [profile, '--headless', '--convert-to', format, '--outdir', out, ...sources], {
        stdio: 'ignore',
      });
      converted.push(
        ...(await filesIn(out, /\.\w+$/)).map(([name, bytes]): OrdinaryFile => [`${from} as ${name}`, bytes]),
      );
    }
  }
  return converted;
}

async function filesIn(folder: string, name: RegExp): Promise<OrdinaryFile[]> {
  const names = (await readdir(folder)).filter((one) => name.test(one)).sort();
  return Promise.all(
    names.map(async (one): Promise<OrdinaryFile> => [one, await readFile(path.join(folder, one))]),
  );
}
