import assert from 'node:assert/strict';
import { after, it, test } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import { createFileReader } from '../../../apps/cloud/src/files/file-reader.ts';
import { readPdfPage, toScrapeError } from '../../../apps/cloud/src/flows/scrape-page.ts';
import { DENY_REASONS, type DenyReason } from '../../../apps/cloud/src/outbound/address-denied.ts';
import { PAGE_ERRORS, PageError, type PageErrorReason } from '../../../apps/cloud/src/scrape/page-error.ts';
import { makePdf } from '../../support/make-pdf.ts';
import { makeZip } from '../../support/make-zip.ts';

it('has a code and a sentence for every reason why a page cannot be read', () => {
  for (const reason of Object.keys(PAGE_ERRORS) as PageErrorReason[]) {
    const coded = toScrapeError(new PageError(reason));
    assert.ok(coded instanceof CodedError, reason);
    assert.ok(coded.message.length > 10, reason);
  }
  for (const refusal of Object.keys(DENY_REASONS) as DenyReason[]) {
    const coded = toScrapeError(new PageError('address_refused', { denyReason: refusal }));
    const isShape = refusal === 'not_a_url' || refusal === 'scheme';
    assert.equal(coded instanceof ValidationError, isShape, refusal);
    if (coded instanceof CodedError) assert.equal(coded.fields['reason'], refusal);
  }
});

it('reports the status of the page’s server', () => {
  const coded = toScrapeError(new PageError('page_status', { pageStatus: 404 }));
  assert.ok(coded instanceof CodedError);
  assert.deepEqual([coded.status, coded.fields], [502, { reason: 'page_status', page_status: 404 }]);
});

const reader = createFileReader({ threads: 1, workMs: 10_000 });
after(() => reader.close());

const read = (bytes: Uint8Array) => readPdfPage(reader, bytes, { organizationId: 'org_a', deviceId: null });

const PAGE = 'The first page';

test('all texts are read, and what people see is the content', async () => {
  const pdf = makePdf({
    pages: [PAGE, 'The second page'],
    info: { Title: 'A hidden text' },
    notes: ['A note on the margin'],
  });
  const page = await read(pdf);
  assert.equal(page.content, 'The first page\nThe second page');
  assert.deepEqual(
    page.texts.map(({ kind, text }) => [kind, text]),
    [
      ['visible', 'The first page\nThe second page'],
      ['meta', 'A hidden text'],
      ['attribute', 'A note on the margin'],
    ],
  );
  assert.deepEqual([page.scripts, page.loads, page.forms], [[], [], []]);
});

test('a page with a part that may hold text and was not read is an error', async () => {
  const lockedZip = await makeZip({ 'a.txt': 'Tea.' }, { password: 'tea', zipCrypto: true });
  const withFile = (attached: Uint8Array) => makePdf({ pages: [PAGE], attached });
  for (const [name, bytes, reason] of [
    ['too many pages', makePdf({ pages: Array.from({ length: 2_001 }, () => 'Tea') }), 'too_large'],
    ['locked', makePdf({ pages: [PAGE], isLocked: true }), 'encrypted'],
    ['a locked file in it', withFile(lockedZip), 'encrypted'],
    ['damaged', Buffer.from(`%PDF-1.7\n${'\0'.repeat(400)}`), 'pdf'],
    ['a damaged file in it', withFile(Buffer.from('PK\x03\x04')), 'pdf'],
    ['a file of an unknown type in it', withFile(Buffer.from([0, 1, 2, 255])), 'pdf'],
  ] as const) {
    await assert.rejects(read(bytes), (error) => error instanceof PageError && error.reason === reason, name);
  }
  const picture = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  assert.equal((await read(withFile(picture))).content, PAGE, 'a picture holds no text');
  assert.equal((await read(makePdf({ pages: [PAGE, ''] }))).content, PAGE, 'nor does a page of pictures');
  assert.equal((await read(makePdf({ pages: ['', ''] }))).content, '', 'it has been read, and has none');
});
