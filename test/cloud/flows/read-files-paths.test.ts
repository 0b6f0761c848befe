import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { EncodedFile, UnreadPart } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import { createFileReader } from '../../../apps/cloud/src/files/file-reader.ts';
import { readFiles } from '../../../apps/cloud/src/flows/read-files.ts';
import { makeDocx } from '../../support/make-office.ts';
import { makePdf } from '../../support/make-pdf.ts';

const OWNER = { organizationId: 'org_a', deviceId: null };
const reader = createFileReader({ threads: 1, workMs: 10_000 });
after(() => reader.close());

const file = (
  path: string,
  bytes: Buffer,
  marks: EncodedFile['marks'],
  notice: UnreadPart | null = null,
): EncodedFile => ({ path, base64: bytes.toString('base64'), marks, notice });

const noticeOf = (index: number, path: string): UnreadPart => ({
  ...{ index, path, reason: 'unsupported_type', detail: `${path}: a file.`, mayHold: 'text' },
});

/** Reads the files of a body with one text; returns what was given to the reader, too. */
async function read(files: readonly EncodedFile[], unscanned: readonly UnreadPart[] = []) {
  const given: (readonly Buffer[])[] = [];
  const counting: Pick<typeof reader, 'read'> = {
    read: (all, owner) => {
      given.push(all);
      return reader.read(all, owner);
    },
  };
  const slots: readonly TextSlot[] = [{ path: '/messages/0', role: 'user', text: 'Sum this up.' }];
  return {
    given,
    ...(await readFiles({ files: counting }, OWNER, { messages: [], slots, unscanned, files })),
  };
}

test('texts of a file are documents, numbered by their part', async () => {
  // Too long for the page: people see only its start.
  const [first, second] = ['one', 'two'].map((name) => `${'tea and '.repeat(20)}page ${name}`);
  const pdf = makePdf({ pages: [first!, second!], notes: ['a note'], info: { Title: 'a title' } });
  const { slots } = await read([
    file('/messages/0/content/1', pdf, ['pdf']),
    file('/messages/0/content/2', gzipSync(pdf), ['gzip']),
  ]);
  const seen = slots[1]!.text;
  assert.match(seen, /^tea and .*\ntea and /);
  const slot = (path: string, text: string) => ({
    path: `/messages/0/content/${path}`,
    role: 'document',
    text,
  });
  assert.deepEqual(slots, [
    { path: '/messages/0', role: 'user', text: 'Sum this up.' },
    slot('1~pdf/visible/0', seen),
    slot('1~pdf/meta/0', 'a title'),
    slot('1~pdf/hidden/0', first!),
    slot('1~pdf/attribute/0', 'a note'),
    slot('1~pdf/hidden/1', second!),
    slot('2~file/visible/0', seen),
    slot('2~file/meta/0', 'a title'),
    slot('2~file/hidden/0', first!),
    slot('2~file/attribute/0', 'a note'),
    slot('2~file/hidden/1', second!),
  ]);
});

test('equal files are read once, and without files none is asked for', async () => {
  const [a, b] = [await makeDocx(['one']), makePdf({ pages: ['two'] })];
  const { given, slots } = await read([
    file('/1', a, ['zip']),
    file('/2', b, ['pdf']),
    file('/3', a, ['zip']),
  ]);
  assert.deepEqual(given, [[a, b]]);
  assert.deepEqual(
    slots.slice(1).map(({ path, text }) => [path, text]),
    [
      ['/1~file/visible/0', 'one'],
      ['/2~pdf/visible/0', 'two'],
      ['/3~file/visible/0', 'one'],
    ],
  );
  assert.deepEqual((await read([])).given, []);
});

test('the notice of a file is replaced by what of it was not read', async () => {
  const [locked, whole] = [makePdf({ pages: ['one'], isLocked: true }), makePdf({ pages: ['two'] })];
  const [ofOther, ofFile, ofWhole] = [noticeOf(2, '/0'), noticeOf(1, '/1'), noticeOf(3, '/4')];
  const { unscanned } = await read(
    [
      file('/1', locked, ['pdf'], ofFile),
      file('/2', gzipSync(locked), ['gzip'], noticeOf(7, '/2')),
      file('/3', locked, ['pdf']),
      file('/4', whole, ['pdf'], ofWhole),
    ],
    [ofOther, ofFile, ofWhole],
  );
  const rest = { reason: 'encrypted', mayHold: 'text' };
  assert.deepEqual(unscanned, [
    ofOther,
    { index: 1, path: '/1', detail: '/1: a PDF; it requires a password.', ...rest },
    { index: 7, path: '/2', detail: '/2: a file; it requires a password.', ...rest },
  ]);
});
