/** The whole run is `npm run lab -- turns`. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isCounted } from '../../../test/support/cpu-time.ts';
import { createRandom } from '../../../test/support/random.ts';
import { referenceMs, watchTurns } from '../../../test/support/watch-turns.ts';
import { heavyCases } from '../turns/heavy-cases.ts';
import { type Measuring, startMeasuring } from '../turns/measure-turns.ts';
import { turnTable } from '../turns/turn-table.ts';

/** On a busy or slow computer as much as twice the reference. */
const MAX_TURN_MS = 60;
const RUNS = 5;
/** Shapes whose work was once one turn of hundreds or thousands of milliseconds. */
const CHOSEN = [
  'guard, output: a call with many values',
  'guard, output: a call with a long text',
  'guard, input: many messages',
  'chat/completions: many parts',
];

describe('no heavy body has a long turn of the event loop', { skip: isCounted }, () => {
  let measuring: Measuring;
  before(async () => {
    measuring = await startMeasuring();
  });
  after(() => measuring.close());

  const cases = heavyCases(createRandom(1), 1);
  for (const name of CHOSEN) {
    test(name, async () => {
      const one = cases.find(({ route, about }) => `${route}: ${about}`.startsWith(name))!;
      const limitMs = Math.max(MAX_TURN_MS, 2 * (await measuring.gateway.referenceMs()));
      const { status, ownMs, spentOn } = await measuring.measure(one, limitMs, RUNS);
      assert.ok(status === 200 || status === 403, `the body is legal: ${status}`);
      assert.ok(
        ownMs <= limitMs,
        `${one.about}: ${ownMs.toFixed(0)} of ${limitMs.toFixed(0)} ms: ${spentOn}`,
      );
    });
  }
});

test('a long turn is seen', async () => {
  const watch = watchTurns();
  await watch.longest();
  const spentMs = referenceMs();
  const { ownMs, gcMs } = await watch.longest();
  watch.stop();
  assert.ok(ownMs + gcMs >= spentMs, `${ownMs} and ${gcMs} of ${spentMs}`);
});

test('a route is told by its longest turn', () => {
  const common = { route: 'guard', project: 'plain', status: 200, gcMs: 1, spentOn: '' } as const;
  const table = turnTable([
    { ...common, about: 'a', ownMs: 12 },
    { ...common, about: 'b', ownMs: 31 },
  ]);
  assert.match(table, /\| guard \| 2 \| 31 \| 1 \| b \(plain, 200\) \|$/);
});
