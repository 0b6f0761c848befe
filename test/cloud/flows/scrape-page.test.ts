import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CodedError, ValidationError } from '@csg/shared/contract';
import { toScrapeError } from '../../../apps/cloud/src/flows/scrape-page.ts';
import { DENY_REASONS, type DenyReason } from '../../../apps/cloud/src/outbound/address-denied.ts';
import { PAGE_ERRORS, PageError, type PageErrorReason } from '../../../apps/cloud/src/scrape/page-error.ts';

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
