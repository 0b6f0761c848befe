import { gzipSync } from 'node:zlib';
import { makeZip } from '../make-zip.ts';
import { base64Lines, code, type Disguise, ebcdic, letters, utf7, utf32, WORDS } from './disguise.ts';
import { docx } from './office-packages.ts';

const hex = (text: string): string => [...text].map((sign) => `\\'${code(sign).toString(16)}`).join('');
const quoted = (text: string | Uint8Array): string =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

const RTF: Readonly<Record<string, string>> = {
  'plain text': `{\\rtf1\\ansi ${WORDS}\\par}`,
  'hexadecimal escapes': `{\\rtf1\\ansi ${hex(WORDS)}\\par}`,
  'Unicode escapes': `{\\rtf1\\ansi ${letters.map((sign) => `\\u${code(sign)}?`).join('')}\\par}`,
  'Unicode escapes without replacements': `{\\rtf1\\ansi\\uc0 ${letters.map((sign) => `\\u${code(sign)}`).join('{}')}\\par}`,
  'Unicode escapes with longer replacements': `{\\rtf1\\ansi\\uc2 ${letters.map((sign) => `\\u${code(sign)} ab`).join('')}\\par}`,
  'a group for each letter': `{\\rtf1\\ansi ${letters.map((sign) => `{\\b ${sign}}`).join('')}\\par}`,
  'line breaks between letters': `{\\rtf1\\ansi ${letters.join('\r\n')}\\par}`,
  'hidden text': `{\\rtf1\\ansi x {\\v ${WORDS}}\\par}`,
  'a footnote': `{\\rtf1\\ansi x{\\super\\chftn}{\\footnote ${hex(WORDS)}}\\par}`,
  'a header': `{\\rtf1\\ansi{\\header ${hex(WORDS)}\\par}x\\par}`,
  'a table': `{\\rtf1\\ansi\\trowd\\cellx9000\\intbl ${hex(WORDS)}\\cell\\row}`,
  'a field': `{\\rtf1\\ansi{\\field{\\*\\fldinst HYPERLINK "a"}{\\fldrslt ${hex(WORDS)}}}\\par}`,
  'a symbol for each letter': `{\\rtf1\\ansi ${letters.map((sign) => `{\\field{\\*\\fldinst SYMBOL ${code(sign)} \\\\f "Arial" \\\\s 12}{\\fldrslt }}`).join('')}\\par}`,
  'a text box': `{\\rtf1\\ansi x{\\shp{\\*\\shpinst\\shpleft0\\shptop0\\shpright5000\\shpbottom900{\\sp{\\sn shapeType}{\\sv 202}}{\\shptxt ${hex(WORDS)}\\par}}}\\par}`,
  'white space before it': `\r\n\t {\\rtf1\\ansi ${hex(WORDS)}\\par}`,
  'a byte order mark before it': `\ufeff{\\rtf1\\ansi ${hex(WORDS)}\\par}`,
  'no version': `{\\rtf\\ansi ${hex(WORDS)}\\par}`,
  'the code page of a Mac': `{\\rtf1\\mac ${hex(WORDS)}\\par}`,
  'an unknown code page': `{\\rtf1\\ansi\\ansicpg37 ${[...ebcdic(WORDS)].map((byte) => `\\'${byte.toString(16)}`).join('')}\\par}`,
  'binary data before it': `{\\rtf1\\ansi{\\pict\\bin3 }}}}${hex(WORDS)}\\par}`,
};

/** Header and body of an email. */
const EMAILS: Readonly<Record<string, readonly [string, string]>> = {
  base64: ['Content-Type: text/plain\r\nContent-Transfer-Encoding: base64', base64Lines(WORDS)],
  'quoted-printable': [
    'Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable',
    quoted(WORDS),
  ],
  'quoted-printable with line ends between letters': [
    'Content-Transfer-Encoding: Quoted-Printable',
    letters.map((sign) => (sign === ' ' ? '=20' : sign)).join('=\r\n'),
  ],
  'UTF-16': [
    'Content-Type: text/plain; charset="utf-16"\r\nContent-Transfer-Encoding: base64',
    base64Lines(Buffer.from(`\ufeff${WORDS}`, 'utf16le')),
  ],
  'UTF-7': ['Content-Type: text/plain; charset=utf-7', utf7(WORDS)],
  EBCDIC: [
    'Content-Type: text/plain; charset=cp037\r\nContent-Transfer-Encoding: base64',
    base64Lines(ebcdic(WORDS)),
  ],
  'UTF-32': [
    'Content-Type: text/plain; charset=utf-32le\r\nContent-Transfer-Encoding: base64',
    base64Lines(utf32(WORDS)),
  ],
  uuencode: [
    'Content-Type: text/plain\r\nContent-Transfer-Encoding: x-uuencode',
    `begin 644 a\r\n9475O<F)E;"!V:6YT86=E(&UA<FUA;&%D90\r\n\`\r\nend`,
  ],
  'an encoded subject': [`X-A: b\r\nSubject: =?utf-8?B?${Buffer.from(WORDS).toString('base64')}?=`, 'x'],
  'a subject in UTF-7': [`Subject: =?utf-7?Q?${utf7(WORDS)}?=`, 'x'],
  'a folded header of one encoded word each': [
    `Subject: ${letters.map((sign) => `=?us-ascii?Q?${quoted(sign)}?=`).join('\r\n ')}`,
    'x',
  ],
  'a part': [
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b',
    `--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(`<p>${WORDS}</p>`)}\r\n--b--`,
  ],
  'an attachment of any type': [
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b c"',
    `--b c\r\nContent-Type: application/x-anything\r\nContent-Disposition: attachment; filename="a.txt"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(WORDS)}\r\n--b c--`,
  ],
  'a part in a part': [
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b',
    `--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quoted(WORDS)}\r\n--c--\r\n--b--`,
  ],
  'an email in an email': [
    'MIME-Version: 1.0\r\nContent-Type: message/rfc822',
    `Subject: x\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(WORDS)}`,
  ],
  'the name of an attachment': [
    `MIME-Version: 1.0\r\nContent-Type: application/x-a\r\nContent-Disposition: attachment; filename*0*=utf-8''${quoted(WORDS.slice(0, 9)).replaceAll('=', '%')};\r\n filename*1*=${quoted(WORDS.slice(9)).replaceAll('=', '%')}`,
    'x',
  ],
  'a charset for each part of a parameter': [
    `MIME-Version: 1.0\r\nContent-Type: application/x-a; name*=utf-7''${utf7(WORDS).replaceAll('+', '%2B')}`,
    'x',
  ],
  'header names in other case': [
    'CONTENT-TRANSFER-ENCODING:base64\r\ncontent-type:TEXT/PLAIN',
    base64Lines(WORDS),
  ],
  'a folded transfer encoding': ['Content-Transfer-Encoding:\r\n base64', base64Lines(WORDS)],
  'a comment in the transfer encoding': [
    'Content-Type: text/plain\r\nContent-Transfer-Encoding: base64 (really)',
    base64Lines(WORDS),
  ],
};

const GZIP = gzipSync('A quiet river.');
const named = (flag: number, field: string): Buffer =>
  Buffer.concat([
    GZIP.subarray(0, 3),
    Buffer.from([flag]),
    GZIP.subarray(4, 10),
    Buffer.from(field),
    GZIP.subarray(10),
  ]);

/** Cells of notebooks, cut within lines. */
const CELLS: Readonly<Record<string, object>> = {
  'one letter a line': { cell_type: 'markdown', source: letters },
  'a cut word behind whole lines': {
    cell_type: 'code',
    source: ['import os\n', WORDS.slice(0, 12), `${WORDS.slice(12)}\n`, 'print(1)'],
  },
  'the text of an output': {
    cell_type: 'code',
    source: ['1'],
    outputs: [{ output_type: 'stream', name: 'stdout', text: [WORDS.slice(0, 4), WORDS.slice(4)] }],
  },
  'an output by its type': {
    cell_type: 'code',
    source: '1',
    outputs: [{ output_type: 'display_data', data: { 'text/html': ['<p>', ...letters, '</p>'] } }],
  },
};

export async function textDisguises(): Promise<Disguise[]> {
  const disguises: Disguise[] = [];
  const add = (name: string, extension: string, bytes: string | Buffer): void => {
    disguises.push({ name, extension, bytes: Buffer.from(bytes) });
  };
  for (const [name, rtf] of Object.entries(RTF)) add(`in RTF: ${name}`, 'rtf', rtf);
  for (const [name, [header, body]] of Object.entries(EMAILS))
    add(`in an email: ${name}`, 'eml', `From: Anna <anna@a.example>\r\n${header}\r\n\r\n${body}\r\n`);
  add(
    'in an email after the line of a mailbox',
    'eml',
    `From a@a.example Mon Nov 30 00:00:00 2026\nX: y\nContent-Transfer-Encoding: base64\n\n${base64Lines(WORDS)}\n`,
  );
  add('in the name of compressed data', 'gz', named(8, `${WORDS}\0`));
  add('in the comment of compressed data', 'gz', named(16, `${WORDS}\0`));
  add('in the second member of compressed data', 'gz', Buffer.concat([GZIP, gzipSync(WORDS)]));
  add(
    'in both members of compressed data',
    'gz',
    Buffer.concat([gzipSync(WORDS.slice(0, 9)), gzipSync(WORDS.slice(9))]),
  );
  add('in text behind compressed data', 'gz', Buffer.concat([GZIP, Buffer.from(WORDS)]));
  add('in an archive', 'zip', await makeZip({ 'a.txt': WORDS }));
  add('in an archive in an archive', 'zip', await makeZip({ 'a.bin': await makeZip({ 'b.txt': WORDS }) }));
  add('in the name of a file of an archive', 'zip', await makeZip({ [`${WORDS}.txt`]: 'x' }));
  add('in the comment of an archive', 'zip', await makeZip({ 'a.txt': 'x' }, { comment: WORDS }));
  add(
    'in a file in UTF-16 of an archive',
    'zip',
    await makeZip({ 'a.txt': Buffer.from(`\ufeff${WORDS}`, 'utf16le') }),
  );
  add(
    'in a document of an archive',
    'zip',
    await makeZip({
      'a.ttf': await docx(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${WORDS}</w:t></w:r></w:p></w:body></w:document>`,
      ),
    }),
  );
  add(
    'in text before an archive',
    'txt',
    Buffer.concat([Buffer.from(`${WORDS}\n`), await makeZip({ 'a.txt': 'x' })]),
  );
  for (const [name, cell] of Object.entries(CELLS))
    add(
      `in a notebook: ${name}`,
      'ipynb',
      JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
  add(
    'in a notebook of an earlier version',
    'ipynb',
    JSON.stringify({
      nbformat: 3,
      worksheets: [{ [`c\\u0065lls`.replace('\\\\', '')]: [{ cell_type: 'code', input: letters }] }],
    }),
  );
  add('in UTF-16', 'txt', Buffer.from(`\ufeff${WORDS}`, 'utf16le'));
  add('in UTF-32', 'txt', utf32(`\ufeff${WORDS}`));
  return disguises;
}
