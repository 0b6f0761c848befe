import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedFile } from '../../../apps/cloud/src/files/file-reading.ts';
import { readFiles } from '../../../apps/cloud/src/flows/read-files.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');

/** Reads files whose contents are given by their bytes; returns what was asked of the reader, too. */
async function read(
  found: Readonly<Record<string, Partial<ExtractedFile>>>,
  files: readonly {
    readonly path: string;
    readonly text: string;
    readonly mark: string;
    readonly notice?: unknown;
  }[],
  unscanned: readonly unknown[] = [],
) {
  const asked: string[][] = [];
  const reader = {
    read: async (all: readonly Buffer[]) => {
      asked.push(all.map(String));
      return all.map((bytes) => ({ texts: [], unread: [], ...found[String(bytes)] }) as ExtractedFile);
    },
  };
  const extracted = {
    messages: [],
    slots: [{ path: '/messages/0', role: 'user', text: 'Sum this up.' }],
    unscanned,
    files: files.map(({ text, notice = null, ...file }) => ({ ...file, base64: encode(text), notice })),
  };
  const result = await readFiles({ files: reader }, 'org_a' as never, extracted as never);
  return { asked, result: result as unknown as typeof extracted };
}

test('texts of a file are documents, numbered by their part', async () => {
  const texts = [
    { part: 'visible', text: 'one' },
    { part: 'hidden', text: 'two' },
    { part: 'visible', text: 'three' },
  ] as const;
  const { result } = await read({ a: { texts } }, [
    { path: '/messages/0/content/1', text: 'a', mark: 'pdf' },
    { path: '/messages/0/content/2', text: 'a', mark: 'office' },
  ]);
  const slot = (path: string, text: string) => ({
    path: `/messages/0/content/${path}`,
    role: 'document',
    text,
  });
  assert.deepEqual(result.slots, [
    { path: '/messages/0', role: 'user', text: 'Sum this up.' },
    slot('1~pdf/visible/0', 'one'),
    slot('1~pdf/hidden/0', 'two'),
    slot('1~pdf/visible/1', 'three'),
    slot('2~file/visible/0', 'one'),
    slot('2~file/hidden/0', 'two'),
    slot('2~file/visible/1', 'three'),
  ]);
});

test('equal files are read once, and without files none is asked for', async () => {
  const files = ['a', 'b', 'a'].map((text, n) => ({ path: `/${n}`, text, mark: 'pdf' }));
  assert.deepEqual((await read({}, files)).asked, [['a', 'b']]);
  assert.deepEqual((await read({}, [])).asked, []);
});

test('the notice of a file is replaced by what of it was not read', async () => {
  const [ofFile, ofOther] = [{ index: 1 }, { index: 2 }];
  const unread = [{ reason: 'encrypted', why: 'it opens with a password only', mayHold: 'text' }] as const;
  const { result } = await read(
    { a: { unread }, b: {} },
    [
      { path: '/1', text: 'a', mark: 'pdf', notice: ofFile },
      { path: '/2', text: 'a', mark: 'office', notice: { index: 7 } },
      { path: '/3', text: 'a', mark: 'pdf' },
    ],
    [ofOther, ofFile],
  );
  const rest = { reason: 'encrypted', mayHold: 'text' };
  assert.deepEqual(result.unscanned, [
    ofOther,
    { index: 1, path: '/1', detail: '/1: a PDF; it opens with a password only.', ...rest },
    { index: 7, path: '/2', detail: '/2: a file; it opens with a password only.', ...rest },
  ]);
});
