import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { PageError } from '../../../apps/cloud/src/scrape/page-error.ts';
import { createPageReader } from '../../../apps/cloud/src/scrape/page-reader.ts';
import { readPage } from '../../../apps/cloud/src/scrape/read-page.ts';

const reader = createPageReader({ workers: 1 });
after(() => reader.close());
const OWNER = { organizationId: 'org', deviceId: null };
const page = (text: string) => ({ url: 'https://example.com/', type: 'html' as const, text });

it('reads long pages on a worker as it reads short ones on the event loop', async () => {
  for (const text of ['<p>short</p><!-- a comment here -->', `<p>long</p>${'<i>x</i> '.repeat(20_000)}`]) {
    assert.deepEqual(await reader.read(OWNER, page(text), true), readPage(page(text), true));
  }
});

it('reports what is wrong with a page, wherever it was read', async () => {
  for (const count of [2_000, 40_000]) {
    await assert.rejects(
      reader.read(OWNER, page('<div>'.repeat(count)), true),
      (error) => error instanceof PageError && error.reason === 'too_deep',
    );
  }
});

it('lets organizations take turns: many long pages of one delay another by about one of them', async () => {
  const long = page(`<p>long</p>${'<i>x</i> '.repeat(60_000)}`);
  let done = 0;
  const flood = Array.from({ length: 12 }, () => reader.read(OWNER, long, true).then(() => done++));
  const other = { organizationId: 'another', deviceId: null };
  await reader.read(other, page(`<p>long</p>${'<i>y</i> '.repeat(20_000)}`), true);
  assert.ok(done <= 2, `after ${done} of the 12`);
  await Promise.all(flood);
});
