import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WorkOwner } from '../../../apps/cloud/src/fairness/fair-queue.ts';
import { createShares } from '../../../apps/cloud/src/limits/shares.ts';
import { seededRandom } from '../../support/random.ts';

const org = (organizationId: string, deviceId: string | null = null): WorkOwner => ({
  organizationId,
  deviceId,
});
const MB = 1_048_576;

/** Adds requests of one owner while there is room, and returns how many were added. */
function flood(shares: ReturnType<typeof createShares>, owner: WorkOwner, sizeBytes: number): number {
  let taken = 0;
  while (shares.hasRoom(owner) && taken < 10_000) {
    shares.add(owner, sizeBytes);
    taken++;
  }
  return taken;
}

describe('shares of the requests in progress', () => {
  test('let a single owner take everything', () => {
    const shares = createShares({ requests: 256, bytes: 32 * MB });
    assert.equal(flood(shares, org('one'), 1_000), 256);
    assert.deepEqual(shares.read(), { requests: 256, bytes: 256_000 });
  });

  test('give another organization an equal part of half when one has taken everything', () => {
    const shares = createShares({ requests: 256, bytes: 32 * MB });
    flood(shares, org('flood'), 31 * MB);
    assert.equal(shares.hasRoom(org('flood')), false);
    assert.equal(flood(shares, org('other'), 25_000), 64);
    assert.equal(shares.hasRoom(org('flood')), false, 'the flooding owner has to wait for all of its own');
    assert.equal(shares.hasRoom(org('third')), true);
  });

  test('keep neither its organization nor others out when one device sends six large bodies', () => {
    const shares = createShares({ requests: 256, bytes: 32 * MB });
    assert.equal(flood(shares, org('one', 'laptop'), 9 * MB), 4);
    assert.equal(shares.hasRoom(org('one', 'laptop')), false);
    assert.equal(shares.hasRoom(org('one', 'phone')), true);
    assert.equal(shares.hasRoom(org('one')), true);
    assert.equal(shares.hasRoom(org('two')), true);
  });

  test('make room when a request ends, and keep nothing of it', () => {
    const shares = createShares({ requests: 2, bytes: 100 });
    shares.add(org('one', 'laptop'), 60);
    shares.add(org('one'), 60);
    assert.equal(shares.hasRoom(org('one')), false);
    shares.remove(org('one', 'laptop'), 60);
    assert.equal(shares.hasRoom(org('one')), true);
    shares.remove(org('one'), 60);
    assert.deepEqual(shares.read(), { requests: 0, bytes: 0 });
  });

  test('never turn away an owner that has nothing in progress, whatever others do', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed);
      const shares = createShares({ requests: 20, bytes: 10 * MB });
      const held: [WorkOwner, number][] = [];
      for (let step = 0; step < 300; step++) {
        const device = random() < 0.5 ? null : `device${Math.floor(random() * 3)}`;
        const owner = org(`org${Math.floor(random() * 4)}`, device);
        const size = Math.floor(random() * 4 * MB);
        const has = held.some(
          ([{ organizationId, deviceId }]) =>
            organizationId === owner.organizationId && deviceId === owner.deviceId,
        );
        const room = shares.hasRoom(owner);
        if (!has) assert.equal(room, true, `seed ${seed}, step ${step}`);
        if (room) {
          shares.add(owner, size);
          held.push([owner, size]);
        }
        if (random() < 0.4 && held.length > 0) {
          const [ended] = held.splice(Math.floor(random() * held.length), 1);
          shares.remove(...ended!);
        }
      }
      const bytes = held.reduce((sum, [, size]) => sum + size, 0);
      assert.deepEqual(shares.read(), { requests: held.length, bytes });
    }
  });
});
