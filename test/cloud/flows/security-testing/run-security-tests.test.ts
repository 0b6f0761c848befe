import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createScanner } from '../../../../apps/cloud/src/detection-workers/scanner.ts';
import {
  runAllTests,
  type SecurityTestDeps,
} from '../../../../apps/cloud/src/flows/security-testing/run-security-tests.ts';
import { ATTACK_PROBES, HARMLESS_PROBES } from '../../../../apps/cloud/src/security-testing/all-probes.ts';
import { createManualClock } from '../../../support/clock.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';

describe('a run that takes too long', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  test('ends with a report in which the probes that did not run are errors', async () => {
    const clock = createManualClock();
    const scanner = createScanner({ workers: 0, deadlineMs: 5_000 });
    const deps: SecurityTestDeps = {
      storage: gateway.storage,
      clock,
      scanner: {
        ...scanner,
        scan: (...job) => {
          clock.advance(1_000);
          return scanner.scan(...job);
        },
      },
    };
    const { organizationId } = gateway.account;
    const summary = await runAllTests(deps, { organizationId, projectId: null, actor: 'operator' }, 'strict');
    const ran = summary.total_tests;
    assert.ok(ran > 10 && ran <= 30, `${ran} probes of a second each`);
    assert.equal(summary.errored_count, ATTACK_PROBES.length - ran);
    assert.equal(summary.blocked + summary.allowed, ran);
    assert.equal(summary.results.length, ATTACK_PROBES.length);
    assert.deepEqual(
      summary.results.map((result) => result.errored),
      ATTACK_PROBES.map((_, i) => i >= ran),
    );
    assert.equal(summary.harmless.total_tests, 0);
    assert.equal(summary.harmless.errored_count, HARMLESS_PROBES.length);
    const { rows } = await gateway.storage.audit.page(organizationId, { kind: 'security_test_run' });
    assert.equal(rows[0]?.data['errored_count'], summary.errored_count);
  });
});
