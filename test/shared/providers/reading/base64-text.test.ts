import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  holdsFile,
  readEncoded,
  splitData,
  writeEncoded,
} from '../../../../shared/providers/reading/base64-text.ts';

const inside = (data: string): string => {
  const decoded = readEncoded(splitData(data), true);
  assert.equal(decoded.kind, 'text');
  return decoded.kind === 'text' ? decoded.text : '';
};

it('splitData tells head, type, charset and payload apart', () => {
  assert.deepEqual(splitData('DATA:Text/CSV;charset=UTF-8;base64,QQ=='), {
    mediaType: 'text/csv',
    charset: 'utf-8',
    isBase64: true,
    head: 'DATA:Text/CSV;charset=UTF-8;base64,',
    payload: 'QQ==',
  });
  assert.deepEqual(splitData('QQ=='), {
    mediaType: '',
    charset: '',
    isBase64: true,
    head: '',
    payload: 'QQ==',
  });
  assert.deepEqual(splitData('data:,a%20b').payload, 'a%20b');
  assert.deepEqual(splitData('data:no-comma').payload, '');
});

it('what writeEncoded wrote is what readEncoded reads, in every spelling', () => {
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => Buffer.from(text).toString('base64'),
    (text) => Buffer.from(`${text}_?~~~`).toString('base64url'),
    (text) => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`,
    (text) => `data:text/plain;charset=utf-16le;base64,${Buffer.from(text, 'utf16le').toString('base64')}`,
    (text) =>
      `data:text/plain;charset=utf-16be;base64,${Buffer.from(text, 'utf16le').swap16().toString('base64')}`,
    (text) => `data:,${encodeURIComponent(text)}`,
  );
  const text = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((one) => !/^[\xff\xfe\ufeff\ufffe]/.test(one));
  fc.assert(
    fc.property(spelling, text, text, (spell, before, after) => {
      const data = spell(before);
      assert.ok(inside(data).startsWith(before));
      assert.equal(inside(writeEncoded(data, after)), after);
    }),
    { seed: 5 },
  );
});

it('readEncoded goes by what is there', () => {
  const kind = (bytes: Buffer, isText = false): string =>
    readEncoded(splitData(bytes.toString('base64')), isText).kind;
  assert.equal(kind(Buffer.from('plain words')), 'text');
  assert.equal(kind(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])), 'binary');
  assert.equal(kind(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70])), 'binary');
  assert.equal(kind(Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')), 'binary');
  assert.equal(kind(Buffer.from('%PDF-1.4 words')), 'binary');
  assert.equal(kind(Buffer.from('%PDF-1.4 words'), true), 'text');
  assert.equal(readEncoded(splitData('not base64 at all!'), true).kind, 'not_base64');
});

it('holdsFile finds a PDF where readers of PDFs look for its mark', () => {
  const holds = (text: string): boolean =>
    holdsFile(
      splitData(
        Buffer.from(text)
          .toString('base64')
          .replace(/(.{10})/g, '$1\r\n'),
      ),
    ) === 'pdf';
  assert.ok(holds('%PDF-1.4 words'));
  assert.ok(holds(`${'x'.repeat(1_000)}%PDF-2.0`));
  assert.ok(!holds(`${'x'.repeat(2_000)}%PDF-2.0`));
  assert.ok(!holds('a paper on PDF'));
  assert.ok(holdsFile(splitData('data:,%25PDF-1.4')) === null);
});
