import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailureLockout } from '../../../apps/cloud/src/limits/failure-lockout.ts';
import { createManualClock } from '../../support/clock.ts';

test('locks out for a minute at the limit within five minutes, then for two', () => {
  const clock = createManualClock();
  const hold = createFailureLockout({ limit: 3, now: clock.now });
  assert.equal(hold.fail('a'), 0);
  assert.equal(hold.fail('a'), 0);
  assert.equal(hold.fail('a'), 60);
  assert.equal(hold.lockoutS('b'), 0, 'another address is not locked out');
  clock.advance(60_000);
  assert.equal(hold.lockoutS('a'), 0);
  hold.fail('a');
  hold.fail('a');
  assert.equal(hold.fail('a'), 120);
});

test('does not lock out for failures that are far apart', () => {
  const clock = createManualClock();
  const hold = createFailureLockout({ limit: 3, now: clock.now });
  for (let i = 0; i < 10; i++) {
    assert.equal(hold.fail('a'), 0);
    clock.advance(200_000);
  }
});

test('never locks out at a limit of 0', () => {
  const hold = createFailureLockout({ limit: 0, now: () => 0 });
  for (let i = 0; i < 100; i++) assert.equal(hold.fail('a'), 0);
});

test('takes back a failure that was none, with the lockout that it began', () => {
  const clock = createManualClock();
  const hold = createFailureLockout({ limit: 3, now: clock.now });
  hold.undo('a');
  hold.fail('a');
  hold.undo('a');
  hold.fail('a');
  hold.fail('a');
  assert.equal(hold.fail('a'), 60);
  hold.undo('a');
  assert.equal(hold.lockoutS('a'), 0);
  assert.equal(hold.fail('a'), 60, 'the two before it still count, and the lockout is a first one');
});
