import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CodedError, ValidationFault } from '@csg/shared/contract';
import { asCoded } from '../../../apps/cloud/src/flows/scrape-page.ts';
import { REFUSALS, type Refusal } from '../../../apps/cloud/src/outbound/address-refused.ts';
import { PAGE_FAULTS, PageFault, type PageFaultReason } from '../../../apps/cloud/src/scrape/page-fault.ts';

it('has a code and a sentence for whatever keeps a page away', () => {
  for (const reason of Object.keys(PAGE_FAULTS) as PageFaultReason[]) {
    const coded = asCoded(new PageFault(reason));
    assert.ok(coded instanceof CodedError, reason);
    assert.ok(coded.message.length > 10, reason);
  }
  for (const refusal of Object.keys(REFUSALS) as Refusal[]) {
    const coded = asCoded(new PageFault('address_refused', { refusal }));
    const isShape = refusal === 'not_a_url' || refusal === 'scheme';
    assert.equal(coded instanceof ValidationFault, isShape, refusal);
    if (coded instanceof CodedError) assert.equal(coded.fields['reason'], refusal);
  }
});

it('tells which status a server answered with', () => {
  const coded = asCoded(new PageFault('page_status', { pageStatus: 404 }));
  assert.ok(coded instanceof CodedError);
  assert.deepEqual([coded.status, coded.fields], [502, { reason: 'page_status', page_status: 404 }]);
});
