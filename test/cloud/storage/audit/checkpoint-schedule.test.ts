import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createCheckpointSchedule } from '../../../../apps/cloud/src/storage/audit/checkpoint-schedule.ts';

const TEN_MINUTES_MS = 600_000;

function openSchedule(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const written: string[] = [];
  const logged: unknown[] = [];
  const failing = new Set<unknown>();
  const schedule = createCheckpointSchedule(
    async (organizationId) => {
      const [failure] = failing;
      if (failing.delete(failure)) throw failure;
      written.push(organizationId);
    },
    (level, message, fields) => logged.push([level, message, fields]),
  );
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { ...schedule, written, logged, failing, settled };
}

test('a chain gets a checkpoint when it has grown by ten thousand rows, once', async (t) => {
  const { noteGrown, written, settled, finish } = openSchedule(t);
  noteGrown('org_a', 9_999);
  noteGrown('org_b', 1);
  await settled();
  assert.deepEqual(written, []);
  noteGrown('org_a', 1);
  noteGrown('org_a', 1);
  await settled();
  assert.deepEqual(written, ['org_a'], 'the others wait for theirs');
  noteGrown('org_a', 9_999);
  await settled();
  assert.deepEqual(written, ['org_a']);
  noteGrown('org_c', 20_000);
  await settled();
  assert.deepEqual(written, ['org_a', 'org_c']);
  await finish();
  assert.deepEqual(written, ['org_a', 'org_c', 'org_b', 'org_a']);
});

test('every ten minutes the chains that have grown get one, until the end', async (t) => {
  const { noteGrown, written, settled, finish } = openSchedule(t);
  noteGrown('org_a', 1);
  t.mock.timers.tick(TEN_MINUTES_MS - 1);
  await settled();
  assert.deepEqual(written, []);
  t.mock.timers.tick(1);
  await settled();
  t.mock.timers.tick(TEN_MINUTES_MS);
  await settled();
  assert.deepEqual(written, ['org_a']);
  await finish();
  noteGrown('org_a', 1);
  t.mock.timers.tick(TEN_MINUTES_MS);
  await settled();
  assert.deepEqual(written, ['org_a']);
});

test('a checkpoint that could not be written is reported and written the next time, with what grew meanwhile', async (t) => {
  const { noteGrown, written, logged, failing, settled, finish } = openSchedule(t);
  failing.add(new Error('no disk')).add('no word');
  noteGrown('org_a', 1);
  noteGrown('org_b', 1);
  await finish();
  const message = 'An audit checkpoint could not be written';
  assert.deepEqual(logged, [
    ['error', message, { organizationId: 'org_a', cause: 'no disk' }],
    ['error', message, { organizationId: 'org_b', cause: 'no word' }],
  ]);
  assert.deepEqual(written, []);
  noteGrown('org_a', 9_999);
  await settled();
  assert.deepEqual(written, ['org_a'], 'the rows of before count');
  await finish();
  assert.deepEqual(written, ['org_a', 'org_b']);
});
