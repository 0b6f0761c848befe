import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChainVerifier } from '../../../../apps/cloud/src/flows/audit/verify-chains.ts';
import { openAccountTestEnv } from '../../../support/account-test-env.ts';

test('callers share the run of their organization while it lasts', async (t) => {
  const { storage, addPerson } = await openAccountTestEnv(t);
  const [one, other] = [(await addPerson()).organizationId, (await addPerson()).organizationId];
  const verifier = createChainVerifier(storage, null);
  const [first, second, elsewhere] = [
    verifier.verify(one, 'usr_a'),
    verifier.verify(one, 'usr_a'),
    verifier.verify(other, 'system'),
  ];
  assert.equal(second, first);
  assert.notEqual(elsewhere, first);
  const [report] = await Promise.all([first, elsewhere]);
  assert.equal(report.valid, true);
  const later = verifier.verify(one, 'usr_a');
  assert.notEqual(later, first);
  assert.deepEqual(await later, report);
});
