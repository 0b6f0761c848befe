import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  containedFiles,
  lenientPayload,
  readEncoded,
  splitData,
  writeEncoded,
} from '../../../../shared/providers/reading/base64-text.ts';
import { finish } from '../../../../shared/text/index.ts';

const inside = (data: string): string => {
  const decoded = readEncoded(splitData(data), true);
  assert.equal(decoded.kind, 'text');
  return decoded.kind === 'text' ? decoded.text : '';
};

it('splitData separates head, type, charset and payload', () => {
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

it('readEncoded reads what writeEncoded wrote, in every spelling', () => {
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

it('readEncoded decides by the content', () => {
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

/** The marks of files in base64 with line breaks. */
const marksOf = (binary: string): readonly string[] => {
  const parts = splitData(
    Buffer.from(binary, 'latin1')
      .toString('base64')
      .replace(/(.{10})/g, '$1\r\n'),
  );
  return finish(containedFiles(parts.payload, readEncoded(parts, false)));
};

it('a PDF is recognized where PDF readers look for its signature', () => {
  const holds = (text: string): boolean => marksOf(text).includes('pdf');
  assert.ok(holds('%PDF-1.4 words'));
  assert.ok(holds(`${'x'.repeat(1_000)}%PDF-2.0`));
  assert.ok(!holds(`${'x'.repeat(2_000)}%PDF-2.0`));
  assert.ok(!holds('a paper on PDF'));
  // Readers that repair files find it anywhere.
  for (const length of [2_000, 2_001, 2_002])
    assert.ok(holds(`${'x'.repeat(length)}%PDF-2.0\nstartxref\n0`), String(length));
  assert.ok(!holds(`${'x'.repeat(2_000)}%PDF-2.0\nPK\x05\x06 startxref`), 'it is in an archive');
});

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

it('a data URL is split at its first comma, and only base64 is joined into one line', () => {
  const cases: readonly (readonly [data: string, mediaType: string, charset: string, payload: string])[] = [
    ['data:text/plain;base64,QU\r\nJD', 'text/plain', '', 'QUJD'],
    ['data:text/plain,a\nb', 'text/plain', '', 'a\nb'],
    ['data: Text/Plain ; charset=latin1 ; BASE64 ,QQ==', 'text/plain', 'latin1', 'QQ=='],
    ['data:text/html', 'text/html', '', ''],
    ['QU\nJD', '', '', 'QUJD'],
    ['QU JD', '', '', 'QU JD'],
  ];
  for (const [data, mediaType, charset, payload] of cases) {
    const parts = splitData(data);
    assert.deepEqual([parts.mediaType, parts.charset, parts.payload], [mediaType, charset, payload], data);
  }
});

it('writing keeps the alphabet of the original', () => {
  const bytes = '\xfb\xef\xbe\xff'; // its base64 has both characters that differ
  assert.equal(writeEncoded('----', '~~~???'), 'fn5-Pz8_');
  assert.equal(writeEncoded('++++', '~~~???'), 'fn5+Pz8/');
  assert.equal(inside(base64(bytes)).length > 0, true);
});

it('samples of long content come from all parts of it', () => {
  const kind = (binary: string): string => readEncoded(splitData(base64(binary)), false).kind;
  const words = 'plain words of a long text, again and again. ';
  const noise = Array.from({ length: 30_000 }, (_, i) => String.fromCharCode((i * 97 + (i >> 3)) % 256)).join(
    '',
  );
  const long = words.repeat(3_000);
  assert.equal(kind(long), 'text');
  assert.equal(kind(long.slice(0, 40_000) + noise.repeat(4)), 'binary', 'only its start is text');
  assert.equal(kind(noise.slice(0, 3_000) + long), 'text', 'only its start is not text');
  assert.equal(kind(words.repeat(1_092).slice(0, 49_152)), 'text');
});

it('an archive is recognized by its directory at the end, whatever is before it', () => {
  const list = `PK\x05\x06${'\0'.repeat(18)}`;
  for (const length of [0, 1, 2, 3, 70_000, 70_001, 70_002]) {
    assert.deepEqual(marksOf(`${'x'.repeat(length)}${list}`), ['zip'], String(length));
    assert.deepEqual(marksOf(`${'x'.repeat(length)}`), [], String(length));
  }
  assert.deepEqual(marksOf(`${list}${'x'.repeat(65_535)}`), ['zip']);
  const far = `${list}${'x'.repeat(65_600)}`;
  assert.deepEqual(marksOf(`${'x'.repeat(2_000)}${far}`), []);
  assert.deepEqual(
    marksOf(`${'x'.repeat(2_000)}PK\x01\x02${far}`),
    ['zip'],
    'some readers search the whole file',
  );
});

it('a few characters that are not base64 are ignored', () => {
  const payload = (text: string) => lenientPayload(splitData(text));
  assert.equal(payload(`${'Q'.repeat(9)}!`), 'Q'.repeat(9));
  assert.equal(payload(`${'Q'.repeat(8)}!!`), null);
  assert.equal(payload('QUJD=='), null);
  assert.equal(payload(`${'Q'.repeat(19)}=`), 'Q'.repeat(19));
});
