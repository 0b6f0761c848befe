import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFairQueue, type WorkOwner } from '../../../apps/cloud/src/fairness/fair-queue.ts';
import { seededRandom } from '../../support/random.ts';

interface Item {
  readonly name: string;
}
const org = (organizationId: string, deviceId: string | null = null): WorkOwner => ({
  organizationId,
  deviceId,
});
const item = (name: string): Item => ({ name });

function takeAll(queue: ReturnType<typeof createFairQueue<Item>>): string {
  let order = '';
  for (let next = queue.take(); next !== undefined; next = queue.take()) order += next.name;
  return order;
}

describe('the fair queue', () => {
  test('serves one owner in the order of arrival', () => {
    const queue = createFairQueue<Item>();
    for (const name of ['a', 'b', 'c']) queue.add(org('one'), 1, item(name));
    assert.equal(queue.size, 3);
    assert.equal(takeAll(queue), 'abc');
    assert.equal(queue.size, 0);
    assert.equal(queue.take(), undefined);
  });

  test('lets organizations take turns, whichever came first and with however many items', () => {
    const queue = createFairQueue<Item>();
    for (let n = 0; n < 6; n++) queue.add(org('flood'), 10, item('F'));
    assert.equal(queue.take()?.name, 'F');
    for (let n = 0; n < 2; n++) queue.add(org('other'), 10, item('o'));
    queue.add(org('third'), 10, item('t'));
    assert.equal(takeAll(queue), 'otFoFFFF');
  });

  test('counts work, not items: many small items pass one large item', () => {
    const queue = createFairQueue<Item>();
    for (let n = 0; n < 4; n++) queue.add(org('large'), 100, item('L'));
    for (let n = 0; n < 20; n++) queue.add(org('small'), 10, item('s'));
    assert.equal(takeAll(queue), `LssssssssssL${'s'.repeat(10)}LL`);
  });

  test('lets the devices of an organization take turns with each other and with its keys', () => {
    const queue = createFairQueue<Item>();
    for (let n = 0; n < 5; n++) queue.add(org('one', 'laptop'), 1, item('L'));
    queue.add(org('one', 'phone'), 1, item('p'));
    queue.add(org('one'), 1, item('k'));
    queue.add(org('two'), 1, item('t'));
    assert.equal(takeAll(queue), 'LtpkLLLL');
  });

  test('gives no advantage to an owner that leaves and comes back', () => {
    const queue = createFairQueue<Item>();
    for (let n = 0; n < 3; n++) queue.add(org('other'), 1, item('o'));
    let served = '';
    for (let n = 0; n < 6; n++) {
      const withdrawn = item('x');
      queue.add(org('sly'), 1, item('S'));
      queue.add(org('sly'), 1, withdrawn);
      queue.remove(org('sly'), withdrawn);
      served += queue.take()?.name;
    }
    assert.equal(served, 'oSoSoS');
  });

  test('forgets removed items, and owners that have no others', () => {
    const queue = createFairQueue<Item>();
    const [first, second, third] = [item('a'), item('b'), item('c')];
    queue.add(org('one'), 1, first);
    queue.add(org('one', 'laptop'), 1, second);
    queue.add(org('two'), 1, third);
    queue.remove(org('one'), first);
    queue.remove(org('one'), first);
    queue.remove(org('two'), third);
    assert.equal(queue.size, 1);
    assert.equal(takeAll(queue), 'b');
  });

  test('lets a newcomer wait for at most one item of each other organization, and loses nothing', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seededRandom(seed);
      const queue = createFairQueue<Item & { readonly owner: string }>();
      let added = 0;
      let taken = 0;
      const add = () => {
        const owner = `org${Math.floor(random() * 5)}`;
        added++;
        const device = random() < 0.5 ? null : `device${Math.floor(random() * 3)}`;
        queue.add(org(owner, device), 1 + Math.floor(random() * 1_000), { name: 'x', owner });
      };
      for (let step = 0; step < 60; step++) {
        if (random() < 0.7) add();
        else if (queue.take() !== undefined) taken++;
      }
      queue.add(org('newcomer'), 1_000, { name: 'new', owner: 'newcomer' });
      const before = new Map<string, number>();
      for (let next = queue.take(); next !== undefined; next = queue.take()) {
        taken++;
        if (next.name === 'new') {
          const most = Math.max(0, ...before.values());
          assert.ok(most <= 1, `seed ${seed}: it waited for ${most} items of one organization`);
          before.clear();
          before.set('done', Number.NEGATIVE_INFINITY);
        } else if (!before.has('done')) before.set(next.owner, (before.get(next.owner) ?? 0) + 1);
      }
      assert.equal(taken, added + 1, `seed ${seed}`);
    }
  });
});
