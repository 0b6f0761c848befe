import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Counts,
  chainEntries,
  decideAdmissions,
  monthRow,
} from '../../../../apps/cloud/src/storage/batch/counts.ts';
import { createLabelLimit } from '../../../../apps/cloud/src/storage/batch/label-limit.ts';
import { createModelNames } from '../../../../apps/cloud/src/storage/batch/model-names.ts';
import { prepareDecision } from '../../../../apps/cloud/src/storage/batch/prepare-decision.ts';
import type { Admission } from '../../../../apps/cloud/src/storage/model/usage.ts';
import { makeRecord, NOON } from '../../../conformance/storage-engines.ts';

const DAY = '2026-11-20';
const MONTH = 'usr_a 2026-11';
const admission = (change: Partial<Admission> = {}): Admission => ({
  ...{ accountId: 'usr_a', limit: 3, device: false, nowMs: NOON },
  ...change,
});

test('requests add up by account, day and month, in order of the rows', () => {
  const counts = new Counts();
  counts.addRequest('usr_b', true, DAY);
  counts.addRequest('usr_a', false, DAY);
  counts.addRequest('usr_a', true, DAY);
  counts.add({ accountId: 'usr_a', period: '2026-11', requests: 5, deviceRequests: 2 });
  assert.equal(counts.size, 4);
  assert.equal(counts.requestsOf(MONTH), 7);
  assert.equal(counts.requestsOf('usr_c 2026-11'), 0);
  const all = counts.sorted();
  assert.deepEqual(
    all.map((row) => [row.accountId, row.period, row.requests, row.deviceRequests]),
    [
      ['usr_a', '2026-11', 7, 3],
      ['usr_a', '2026-11-20', 2, 1],
      ['usr_b', '2026-11', 1, 1],
      ['usr_b', '2026-11-20', 1, 1],
    ],
  );
  assert.deepEqual(counts.take(), all);
  assert.deepEqual([counts.size, counts.take()], [0, []]);
});

test('counts that are kept for the next batch do not change those that were taken', () => {
  const counts = new Counts();
  counts.addRequest('usr_a', false, DAY);
  const [taken] = counts.take();
  counts.add(taken!);
  counts.addRequest('usr_a', false, DAY);
  assert.equal(taken?.requests, 1);
  assert.equal(counts.requestsOf(MONTH), 2);
});

test('a month is full when it has reached the limit; devices and accounts without a limit never are', () => {
  assert.equal(monthRow(admission()), MONTH);
  const counts = new Counts();
  counts.addRequest('usr_a', false, DAY);
  const results = decideAdmissions(
    [
      admission(),
      admission(),
      admission({ device: true }),
      admission({ limit: null }),
      admission({ accountId: 'usr_b', limit: 1 }),
      admission({ accountId: 'usr_b', limit: 1 }),
      admission({ limit: 5 }),
    ],
    new Map([[MONTH, 1]]),
    counts,
  );
  assert.deepEqual(
    results.map(({ admitted, used }) => [admitted, used]),
    [
      [true, 3],
      [false, 3],
      [true, 4],
      [true, 5],
      [true, 1],
      [false, 1],
      [false, 5],
    ],
  );
  const [month] = counts.sorted();
  assert.deepEqual([month?.requests, month?.deviceRequests], [4, 1], 'rejected ones do not count');
});

test('decisions are chained in order by organization, and count a request if they say so', () => {
  const usage = { accountId: 'usr_a', device: false };
  const decide = (organizationId: string, id: string, counted: boolean) =>
    prepareDecision(
      makeRecord(organizationId, { id }, counted ? usage : undefined),
      NOON,
      createModelNames(),
      createLabelLimit(),
    );
  const counts = new Counts();
  const chains = chainEntries(
    [decide('org_b', 'evt_1', true), decide('org_a', 'evt_2', false), decide('org_b', 'evt_3', true)],
    counts,
  );
  assert.deepEqual(
    [...chains].map(([id, entries]) => [id, entries.map(({ subject }) => subject)]),
    [
      ['org_b', ['evt_1', 'evt_3']],
      ['org_a', ['evt_2']],
    ],
  );
  assert.equal(counts.requestsOf(MONTH), 2);
});
