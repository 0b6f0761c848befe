import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedFile } from '../../../apps/cloud/src/files/file-reading.ts';
import { readPdfPage } from '../../../apps/cloud/src/flows/read-pdf-page.ts';
import { PageError } from '../../../apps/cloud/src/scrape/page-error.ts';

/** What a reader found in a file. */
const read = (found: Partial<ExtractedFile>) =>
  readPdfPage(
    { read: async () => [{ texts: [], unread: [], ...found } as ExtractedFile] },
    Buffer.from('%PDF'),
    'org_a' as never,
  );
const unread = (reason: string, mayHold: string) => ({ unread: [{ part: 'p', reason, mayHold }] as never });

test('all texts are read, and what people see is the content', async () => {
  const page = await read({
    texts: [
      { part: 'visible', text: 'The first page' },
      { part: 'meta', text: 'A hidden text' },
      { part: 'visible', text: 'The second page' },
    ] as never,
  });
  assert.equal(page.content, 'The first page\nThe second page');
  assert.deepEqual(page.texts.map(({ text }) => text).toSorted(), [
    'A hidden text',
    'The first page',
    'The second page',
  ]);
  assert.deepEqual([page.scripts, page.loads, page.forms], [[], [], []]);
});

test('a page with a part that may hold text and was not read is an error', async () => {
  for (const [reason, expected] of [
    ['too_large', 'too_large'],
    ['encrypted', 'encrypted'],
    ['undecodable', 'pdf'],
  ] as const) {
    await assert.rejects(
      read(unread(reason, 'text')),
      (error) => error instanceof PageError && error.reason === expected,
      reason,
    );
    assert.equal((await read(unread(reason, 'media'))).content, '', 'a picture holds no text');
  }
  assert.equal(
    (await read(unread('no_text_extracted', 'text'))).content,
    '',
    'it has been read, and has none',
  );
});
