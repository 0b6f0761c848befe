import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPage } from '../../../apps/cloud/src/scrape/read-page.ts';
import { readInWorker } from '../../../apps/cloud/src/scrape/read-page-worker.ts';

it('returns what can be sent between threads: the page, or why there is none', async () => {
  const page = { type: 'html' as const, text: '<p>some words here</p>' };
  const answer = await readInWorker({ ...page, asText: true });
  assert.deepEqual(structuredClone(answer), { reading: readPage(page, true) });
  const deep = await readInWorker({ type: 'html', text: '<div>'.repeat(5_000), asText: true });
  assert.deepEqual(deep, { error: 'too_deep' });
});
