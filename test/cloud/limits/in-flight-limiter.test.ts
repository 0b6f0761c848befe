import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createInFlightLimiter,
  type InFlightRequest,
} from '../../../apps/cloud/src/limits/in-flight-limiter.ts';
import { createHandClock } from '../../support/clock.ts';

const OWNER = { organizationId: 'org', deviceId: null };

function open(limits: { requests?: number; bytes?: number } = {}) {
  const clock = createHandClock();
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

test('there is room until so many are in hand, and again as soon as one is done', () => {
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

test('or so many bytes; one larger than all that may be is taken where there is room', () => {
  const { work, take } = open({ bytes: 100 });
  assert.equal(work.hasRoom(OWNER), true);
  const large = take(1_000);
  assert.equal(work.hasRoom(OWNER), false);
  large.end();
  assert.equal(work.hasRoom(OWNER), true);
});

test('0 is no limit', () => {
  const { work, take } = open();
  for (let n = 0; n < 10_000; n++) take(1_000_000);
  assert.equal(work.hasRoom(OWNER), true);
});

test('a request that waits for another party is not counted, however the wait ends', async () => {
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
  assert.deepEqual(work.read(), { requests: 1, bytes: 7 }, 'it is back in hand');
  held?.end();
  assert.deepEqual(work.read(), { requests: 0, bytes: 0 });
});

test('one that was given up while it waited does not come back', async () => {
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

test('waits that belong to no request change nothing', async () => {
  const { work } = open();
  assert.equal(await work.releaseWhile(async () => 'page'), 'page');
  assert.deepEqual(work.read(), { requests: 0, bytes: 0 });
});

test('overload is reported for five seconds after a rejection', () => {
  const { work, take, clock } = open({ requests: 1 });
  assert.equal(work.isOverloaded(), false);
  take();
  assert.equal(work.isOverloaded(), false, 'busy is not too busy');
  work.hasRoom(OWNER);
  assert.equal(work.isOverloaded(), true);
  clock.advance(4_999);
  assert.equal(work.isOverloaded(), true);
  clock.advance(1);
  assert.equal(work.isOverloaded(), false);
});
