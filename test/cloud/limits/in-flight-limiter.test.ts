import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createInFlightLimiter,
  type InFlightRequest,
} from '../../../apps/cloud/src/limits/in-flight-limiter.ts';
import { createManualClock } from '../../support/clock.ts';

const OWNER = { organizationId: 'org', deviceId: null };

function open(limits: { requests?: number; bytes?: number } = {}) {
  const clock = createManualClock();
  const work = createInFlightLimiter({ requests: 0, bytes: 0, ...limits, elapsed: clock.elapsed });
  const take = (sizeBytes = 0): InFlightRequest => {
    let taken: InFlightRequest | undefined;
    work.take(OWNER, sizeBytes, (held) => {
      taken = held;
    });
    return taken as InFlightRequest;
  };
  return { work, take, clock };
}

test('has room until the limit of requests is reached, and again once one ends', () => {
  const { work, take } = open({ requests: 2 });
  const first = take(10);
  assert.equal(work.hasRoom(OWNER), true);
  take(5);
  assert.equal(work.hasRoom(OWNER), false);
  assert.deepEqual(work.read(), { requests: 2, bytes: 15 });
  first.end();
  first.end();
  assert.deepEqual(work.read(), { requests: 1, bytes: 5 }, 'an end that is reported twice counts once');
  assert.equal(work.hasRoom(OWNER), true);
});

test('has room until the limit of bytes is reached, and takes a larger request when it is empty', () => {
  const { work, take } = open({ bytes: 100 });
  assert.equal(work.hasRoom(OWNER), true);
  const large = take(1_000);
  assert.equal(work.hasRoom(OWNER), false);
  large.end();
  assert.equal(work.hasRoom(OWNER), true);
});

test('has no limit at 0', () => {
  const { work, take } = open();
  for (let n = 0; n < 10_000; n++) take(1_000_000);
  assert.equal(work.hasRoom(OWNER), true);
});

test('does not count a request that waits for another party, however the wait ends', async () => {
  const { work } = open({ requests: 1 });
  const gate = Promise.withResolvers<string>();
  const broken = Promise.withResolvers<string>();
  let held: InFlightRequest | undefined;
  const whole = new Promise<string>((resolve, reject) => {
    work.take(OWNER, 7, (taken) => {
      held = taken;
      const story = async (): Promise<string> => {
        await Promise.resolve();
        await assert.rejects(
          work.releaseWhile(() => broken.promise),
          /provider/,
        );
        assert.deepEqual(work.read(), { requests: 1, bytes: 7 });
        return await work.releaseWhile(() => gate.promise);
      };
      story().then(resolve, reject);
    });
  });
  await Promise.resolve();
  assert.deepEqual(work.read(), { requests: 0, bytes: 0 });
  assert.equal(work.hasRoom(OWNER), true);
  broken.reject(new Error('provider'));
  gate.resolve('answer');
  assert.equal(await whole, 'answer');
  assert.deepEqual(work.read(), { requests: 1, bytes: 7 }, 'it counts again');
  held?.end();
  assert.deepEqual(work.read(), { requests: 0, bytes: 0 });
});

test('does not count a request again that was given up while it waited', async () => {
  const { work } = open();
  const gate = Promise.withResolvers<void>();
  const waited = new Promise<void>((resolve) => {
    work.take(OWNER, 1, (held) => {
      void work.releaseWhile(() => gate.promise).then(resolve);
      held.end();
    });
  });
  gate.resolve();
  await waited;
  assert.deepEqual(work.read(), { requests: 0, bytes: 0 });
});

test('ignores waits that belong to no request', async () => {
  const { work } = open();
  assert.equal(await work.releaseWhile(async () => 'page'), 'page');
  assert.deepEqual(work.read(), { requests: 0, bytes: 0 });
});

test('reports overload for five seconds after a rejection', () => {
  const { work, take, clock } = open({ requests: 1 });
  assert.equal(work.isOverloaded(), false);
  take();
  assert.equal(work.isOverloaded(), false, 'full is not yet overloaded');
  work.hasRoom(OWNER);
  assert.equal(work.isOverloaded(), true);
  clock.advance(4_999);
  assert.equal(work.isOverloaded(), true);
  clock.advance(1);
  assert.equal(work.isOverloaded(), false);
});
