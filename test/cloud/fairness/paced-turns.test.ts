import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPacedTurns } from '../../../apps/cloud/src/fairness/paced-turns.ts';
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
  const begun: string[] = [];
  const step = (name: string, ms: number) => () => {
    begun.push(name);
    clock.advance(ms);
    return name;
  };
  return { turns, pauses, begun, step };
}

describe('paced turns', () => {
  test('run one step a turn, each followed by a pause as long as the step took', async () => {
    const { turns, pauses, begun, step } = open();
    const done = [turns.run(A, 1, step('one', 80)), turns.run(A, 1, step('two', 0))];
    assert.deepEqual(begun, [], 'no step runs synchronously');
    assert.equal(pauses.length, 1);
    pauses[0]!.end();
    assert.deepEqual(begun, ['one']);
    assert.equal(pauses[1]!.ms, 80);
    pauses[1]!.end();
    assert.equal(pauses[2]!.ms, 0);
    pauses[2]!.end();
    assert.deepEqual(await Promise.all(done), ['one', 'two']);
    assert.equal(pauses.length, 3, 'no pause begins when no step waits');
    void turns.run(A, 1, step('three', 1));
    pauses[3]!.end();
    assert.deepEqual(begun, ['one', 'two', 'three']);
  });

  test('alternate between organizations', async () => {
    const { turns, pauses, begun, step } = open();
    for (let n = 0; n < 4; n++) void turns.run(A, 30, step('a', 1));
    pauses[0]!.end();
    void turns.run(B, 30, step('b', 1));
    for (let n = 1; n < 5; n++) pauses[n]!.end();
    assert.equal(begun.join(''), 'abaaa');
  });

  test('reject only the promise of a step that throws', async () => {
    const turns = createPacedTurns({ elapsed: () => performance.now() });
    const bad = turns.run(A, 1, () => {
      throw new Error('not JSON');
    });
    const good = turns.run(A, 1, () => 'read');
    await assert.rejects(bad, { message: 'not JSON' });
    assert.equal(await good, 'read');
    await nextTurn();
  });
});
