import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PENDING_DAYS } from '@csg/shared/contract';
import { closeRequests } from '../../../apps/cloud/src/flows/approvals/close-requests.ts';
import { decideRequest } from '../../../apps/cloud/src/flows/approvals/decide-request.ts';
import { JOBS } from '../../../apps/cloud/src/jobs/job-table.ts';
import { startJob } from '../../../apps/cloud/src/jobs/start-job.ts';
import { createManualClock } from '../../support/clock.ts';
import { createTestDatabase, noPostgres } from '../../support/databases.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const MINUTE = 60_000;

/** Approved exceptions that expire after a minute. */
async function approved(gateway: TestGateway, count: number): Promise<string[]> {
  const { organizationId, projectId } = gateway.account;
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { id } = await gateway.storage.requests.insert(organizationId, 'exception', {
      projectId,
      deviceId: null,
      requestedBy: 'key_x',
      requesterUserId: null,
      destinationHost: 'chatgpt.com',
      subject: 'chatgpt.com',
      policyId: null,
      threat: null,
      reasonCategory: null,
      justification: null,
      requestedMinutes: 1,
    });
    const admin = { organizationId, id: 'operator', userId: null };
    await decideRequest({ storage: gateway.storage }, admin, { id }, { approve: true });
    ids.push(id);
  }
  return ids;
}

async function expiredRows(gateway: TestGateway): Promise<string[]> {
  const { rows } = await gateway.storage.audit.page(gateway.account.organizationId, { limit: 200 });
  return rows.filter((row) => row.kind === 'exception_expired').map((row) => row.subject);
}

for (const [name, skip] of [
  ['SQLite', false],
  ['PostgreSQL', noPostgres],
] as const) {
  test(`two instances record every expiry once, on ${name}`, { skip }, async () => {
    const database = name === 'SQLite' ? null : await createTestDatabase();
    const env: Record<string, string> = database === null ? {} : { DATABASE_URL: database.databaseUrl };
    const clock = createManualClock();
    const here = await startGateway({ clock, env });
    const there = await startGateway({ clock, env, dataDir: here.dataDir });
    try {
      const ids = await approved(here, 120);
      clock.advance(MINUTE - 1);
      assert.equal(await closeRequests({ storage: here.storage }), 0, 'none has expired yet');
      clock.advance(1);
      // Their own jobs take part too; in any order, no expiry is recorded twice.
      for (let left = 4; left > 0; left--) {
        await Promise.all([
          closeRequests({ storage: here.storage }),
          closeRequests({ storage: there.storage }),
        ]);
      }
      assert.deepEqual((await expiredRows(here)).sort(), ids.sort());
      const report = await here.storage.audit.verify(here.account.organizationId);
      assert.equal(report.valid, true);
    } finally {
      await there.close();
      await here.close();
      await database?.drop();
    }
  });
}

test('requests that are not decided within a week expire with an audit row', async () => {
  const clock = createManualClock();
  const gateway = await startGateway({ clock });
  try {
    const { organizationId, projectId } = gateway.account;
    const from = {
      projectId,
      deviceId: null,
      requestedBy: 'key_x',
      requesterUserId: null,
      justification: null,
      endsInMs: PENDING_DAYS * 24 * 60 * MINUTE,
    };
    const host = { destinationHost: 'chatgpt.com', subject: 'chatgpt.com' };
    const none = { policyId: null, threat: null, reasonCategory: null };
    const { requests } = gateway.storage;
    const request = { ...from, ...host, ...none, requestedMinutes: 60 };
    const exception = await requests.insert(organizationId, 'exception', request);
    const tool = { ...from, requestedHost: 'grok.com', requestedName: null };
    const toolRequest = await requests.insert(organizationId, 'tool_request', tool);
    clock.advance(PENDING_DAYS * 24 * 60 * MINUTE);
    while ((await closeRequests({ storage: gateway.storage })) > 0);
    const { rows } = await gateway.storage.audit.page(organizationId, { limit: 50 });
    const ended = rows.filter(({ kind }) => kind.endsWith('_expired'));
    assert.deepEqual(ended.map(({ kind, subject, actor, data }) => [kind, subject, actor, data]).sort(), [
      ['exception_expired', exception.id, 'system', { was: 'pending' }],
      ['tool_request_expired', toolRequest.id, 'system', { was: 'pending' }],
    ]);
    const approver = { organizationId, id: 'operator', userId: null };
    await assert.rejects(
      decideRequest({ storage: gateway.storage }, approver, { id: exception.id }, { approve: true }),
      { code: 'invalid_state' },
    );
  } finally {
    await gateway.close();
  }
});

test('the job runs on its own, retries after a failure and stops when asked', async () => {
  const clock = createManualClock();
  const gateway = await startGateway({ clock });
  const faults: string[] = [];
  let failures = 2;
  const job = startJob(
    JOBS.closeRequests,
    {
      storage: {
        ...gateway.storage,
        requests: {
          ...gateway.storage.requests,
          async hasExpired() {
            if (failures-- > 0) throw new Error('the disk is full');
            return gateway.storage.requests.hasExpired();
          },
        },
      },
    },
    { error: (_fields, message) => void faults.push(message) },
    1,
  );
  try {
    const [id] = await approved(gateway, 1);
    clock.advance(MINUTE);
    while ((await expiredRows(gateway)).length === 0) await new Promise(setImmediate);
    assert.deepEqual(await expiredRows(gateway), [id]);
    assert.equal(faults.length, 1, 'the failure is logged once');
  } finally {
    await job.stop();
    await gateway.close();
  }
});
