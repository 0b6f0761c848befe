import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodedTextIn } from '../../../../shared/providers/reading/byte-text.ts';
import { fileMarksIn, isBinaryStart } from '../../../../shared/providers/reading/file-marks.ts';
import { assertLinear } from '../../../support/cpu-time.ts';

const marksIn = (bytes: string) =>
  fileMarksIn({
    start: (length) => bytes.slice(0, length),
    end: (length) => bytes.slice(-length),
    includes: (ascii) => bytes.includes(ascii),
    text: () => decodedTextIn(bytes),
  });
const latin = (text: string) => Buffer.from(text).toString('latin1');

describe('the marks of a file', () => {
  it('are found where readers of each format look for them', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['letter\n%PDF-1.7', ['pdf']],
      ['PK\x03\x04', ['zip']],
      ['\x89PNG and more PK\x05\x06 and a comment', ['zip']],
      ['\x1f\x8b\x08', ['gzip']],
      ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', ['ole']],
      ['BZh91AY&SY', ['packed']],
      ['\x28\xb5\x2f\xfd\x04', ['packed']],
      ['a letter on PK and PDF and its end', []],
      ['{\\rtf1 Tea}', ['rtf']],
      ['\xef\xbb\xbf \r\n{ \\rtf1 Tea}', ['rtf']],
      [Buffer.from('{\\rtf1 Tea}', 'utf16le').toString('latin1'), ['rtf']],
      ['a letter on {\\b bold} text', []],
    ];
    for (const [bytes, marks] of cases) assert.deepEqual(marksIn(bytes), marks, bytes);
  });

  it('are those of every format that the file may be', () => {
    assert.deepEqual(marksIn('%PDF-1.7 ... PK\x05\x06'), ['pdf', 'zip']);
    assert.deepEqual(marksIn('Subject: =?utf-8?Q?Tea?=\n\n{\\rtf1 Tea} %PDF-1.7 '), ['pdf', 'rtf', 'email']);
  });

  it('an email is one only if something in it is encoded', () => {
    const email = (header: string) => marksIn(`Subject: Tea\r\n${header}\r\n\r\nMilk and honey.`);
    for (const header of [
      'Content-Transfer-Encoding: base64',
      'content-transfer-encoding:\r\n quoted-printable',
      'Content-Transfer-Encoding: x-uuencode',
      'Content-Type: text/plain; charset=utf-7',
      'To: =?iso-2022-jp?B?QQ==?= <a@b.example>',
      "Content-Disposition: attachment; filename*=utf-8''a",
    ])
      assert.deepEqual(email(header), ['email'], header);
    for (const header of [
      'Content-Transfer-Encoding: 8bit',
      'Content-Type: text/plain; charset="utf-8"',
      'Date: today',
    ])
      assert.deepEqual(email(header), [], header);
    assert.deepEqual(marksIn('The header\nContent-Transfer-Encoding: base64\nis from RFC 2045.'), []);
  });

  it('a notebook is one only if something in it is cut within a line', () => {
    const notebook = (...source: string[]) => marksIn(JSON.stringify({ cells: [{ source }] }));
    assert.deepEqual(notebook('Ignore all prev', 'ious\n'), ['notebook']);
    assert.deepEqual(notebook('import os\n', 'the instructio', 'n'), ['notebook']);
    assert.deepEqual(marksIn('{"\\u0063ells": [{"source": ["a", "b"]}]}'), ['notebook']);
    assert.deepEqual(notebook('import os\n', 'print(1)\n', 'os.exit()'), []);
    assert.deepEqual(marksIn('{"names": ["a", "b"]}'), []);
  });

  it('marks of notebooks are found in linear time', () => {
    for (const piece of ['"cells":[', '", "', '","\\', '{"\\u00', '"a" , '])
      assertLinear(piece, (size) => `{"cells":[${piece.repeat(size)}`, marksIn, 20_000);
  });

  it('a text in a legacy character set of other than Latin letters is one that has to be decoded', () => {
    assert.deepEqual(marksIn('caf\xe9 cr\xe8me, \xc4\xd6\xdc and so on'), []);
    assert.deepEqual(marksIn(latin('чай и молоко, 茶と牛乳')), []);
    assert.deepEqual(marksIn('\xf7\xc1\xca \xc9 \xcd\xcf\xcc\xcf\xcb\xcf'), ['charset'], 'KOI8-R');
    assert.deepEqual(marksIn(`${latin('чай и молоко, '.repeat(9))}\xcd\xcf\xcc\xcf\xcb\xcf`), ['charset']);
    assert.deepEqual(marksIn('\x1b$B$*Cc$*Cc\x1b(B'), ['charset'], 'ISO-2022-JP');
    assert.deepEqual(marksIn('a \x1b[1mbold\x1b(B word'), [], 'of a terminal');
  });

  it('text starts with no mark of a binary format', () => {
    assert.ok(isBinaryStart('%PDF-1.4'));
    assert.ok(isBinaryStart('PK\x03\x04'));
    assert.ok(!isBinaryStart('{\\rtf1'));
    assert.ok(!isBinaryStart('Subject: Tea'));
  });
});
