import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodedError } from '@csg/shared/contract';
import { createFairRunner } from '../../../apps/cloud/src/fairness/fair-runner.ts';

const A = { organizationId: 'a', deviceId: null };
const B = { organizationId: 'b', deviceId: null };

/** Work that ends on request, and the order in which it began. */
function workshop() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    ends,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    },
  };
}

describe('the fair runner', () => {
  test('runs as many jobs as its width, then one more for each that ends, organizations in turn', async () => {
    const runner = createFairRunner({ width: 2 });
    const { begun, ends, work } = workshop();
    const done = ['a1', 'a2', 'a3', 'a4'].map((name) => runner.run(A, 10, work(name)));
    done.push(runner.run(B, 10, work('b1')));
    assert.deepEqual(begun, ['a1', 'a2']);
    for (let n = 0; n < 5; n++) {
      ends[n]!();
      await nextTurn();
    }
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'a4']);
    assert.deepEqual(await Promise.all(done), ['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  test('continues after work that throws or rejects', async () => {
    const runner = createFairRunner({ width: 1 });
    const thrown = runner.run(A, 1, () => {
      throw new Error('thrown');
    });
    const rejected = runner.run(A, 1, () => Promise.reject(new Error('rejected')));
    const fine = runner.run(A, 1, async () => 'fine');
    await assert.rejects(thrown, { message: 'thrown' });
    await assert.rejects(rejected, { message: 'rejected' });
    assert.equal(await fine, 'fine');
  });

  test('rejects work that waited 30 s with Retry-After and never runs it; running work is not timed', async () => {
    const timers: { ms: number; fire: () => void; stopped: boolean }[] = [];
    const runner = createFairRunner({
      width: 1,
      startTimer(ms, fire) {
        const timer = { ms, fire, stopped: false };
        timers.push(timer);
        return () => {
          timer.stopped = true;
        };
      },
    });
    const { begun, ends, work } = workshop();
    const running = runner.run(A, 1, work('running'));
    const late = runner.run(B, 1, work('late'));
    const next = runner.run(B, 1, work('next'));
    assert.deepEqual(
      timers.map(({ ms, stopped }) => [ms, stopped]),
      [
        [30_000, true],
        [30_000, false],
        [30_000, false],
      ],
    );
    timers[1]!.fire();
    await assert.rejects(late, (error) => {
      assert.ok(error instanceof CodedError);
      assert.equal(error.code, 'service_unavailable');
      assert.equal(error.headers['Retry-After'], '5');
      assert.equal(error.fields['retry_after'], 5);
      return true;
    });
    ends[0]!();
    assert.equal(await running, 'running');
    await nextTurn();
    ends[1]!();
    assert.equal(await next, 'next');
    assert.deepEqual(begun, ['running', 'next']);
  });

  test('never runs work whose caller has left', async () => {
    const runner = createFairRunner({ width: 1 });
    const { begun, ends, work } = workshop();
    const running = runner.run(A, 1, work('running'));
    const caller = new AbortController();
    const left = runner.run(B, 1, work('left'), caller.signal);
    caller.abort(new Error('left'));
    await assert.rejects(left, { message: 'left' });
    await assert.rejects(runner.run(B, 1, work('later'), caller.signal), { message: 'left' });
    ends[0]!();
    await running;
    await nextTurn();
    assert.deepEqual(begun, ['running']);
  });
});
