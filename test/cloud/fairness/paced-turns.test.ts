import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '@csg/shared/text';
import { createPacedTurns, SLICE_MS } from '../../../apps/cloud/src/fairness/paced-turns.ts';
import { createManualClock } from '../../support/clock.ts';

const A = { organizationId: 'a', deviceId: null };
const B = { organizationId: 'b', deviceId: null };

/** Turns whose pauses end on request. */
function open() {
  const clock = createManualClock();
  const pauses: { ms: number; end: () => void }[] = [];
  const turns = createPacedTurns({
    elapsed: clock.elapsed,
    wait: (ms, next) => void pauses.push({ ms, end: next }),
  });
  const done: string[] = [];
  /** Work of so many steps of 1 ms each. */
  function* work(name: string, steps: number): Steps<string> {
    for (let step = 0; step < steps; step++) {
      clock.advance(1);
      done.push(name);
      yield;
    }
    return name;
  }
  /** Ends every pause that began, and those that begin meanwhile. */
  const endPauses = (): void => {
    for (let pause = pauses.shift(); pause !== undefined; pause = pauses.shift()) pause.end();
  };
  return { turns, pauses, done, work, clock, endPauses };
}

describe('paced turns', () => {
  test('do short work at once', async () => {
    const { turns, done, work } = open();
    const result = turns.run(A, work('a', 3));
    assert.equal(done.join(''), 'aaa', 'before anything is awaited');
    assert.equal(await result, 'a');
  });

  test('give all work of one turn 10 ms together, and continue it in the next ones', async () => {
    const { turns, pauses, done, work, endPauses } = open();
    const results = [turns.run(A, work('a', 7)), turns.run(B, work('b', 7)), turns.run(A, work('c', 1))];
    assert.equal(done.join(''), 'aaaaaaabbb');
    assert.equal(turns.tryNow(work('d', 1) as unknown as Steps<object>), undefined, 'no time is left');
    assert.ok(pauses.length > 0, 'the rest waits');
    endPauses();
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'c']);
    assert.ok(!done.includes('d'));
  });

  test('pause after each slice as long as it took', () => {
    const { turns, pauses, done, work } = open();
    void turns.run(A, work('a', 35));
    const slices: number[] = [];
    for (let pause = pauses.shift(); pause !== undefined; pause = pauses.shift()) {
      const before = done.length;
      pause.end();
      if (done.length > before) slices.push(done.length - before, pauses.at(-1)!.ms);
    }
    assert.equal(done.length, 35);
    assert.deepEqual(slices, [SLICE_MS, SLICE_MS, SLICE_MS, SLICE_MS, 5, 5]);
  });

  test('alternate between organizations, whatever each has waiting', () => {
    const { turns, done, work, endPauses } = open();
    for (let n = 0; n < 3; n++) void turns.run(A, work('a', 40));
    void turns.run(B, work('b', 15));
    endPauses();
    assert.equal(done.length, 135);
    assert.ok(done.lastIndexOf('b') < 50, `after ${done.lastIndexOf('b')} steps`);
  });

  test('reject only the promise of work that throws, at once or later', async () => {
    const turns = createPacedTurns({ elapsed: () => performance.now() });
    const bad = turns.run(
      A,
      (function* (): Steps<string> {
        yield;
        throw new Error('not JSON');
      })(),
    );
    const late = turns.run(
      A,
      (function* (): Steps<string> {
        const endMs = performance.now() + SLICE_MS;
        while (performance.now() < endMs) yield;
        throw new Error('not JSON either');
      })(),
    );
    const good = turns.run(
      A,
      (function* (): Steps<string> {
        yield;
        return 'read';
      })(),
    );
    await assert.rejects(bad, { message: 'not JSON' });
    await assert.rejects(late, { message: 'not JSON either' });
    assert.equal(await good, 'read');
    await nextTurn();
  });
});
