/** The whole run is `npm run lab -- turns`. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isCounted } from '../../../test/support/cpu-time.ts';
import { createRandom } from '../../../test/support/random.ts';
import { referenceMs, watchTurns } from '../../../test/support/watch-turns.ts';
import { heavyCases } from '../turns/heavy-cases.ts';
import { type Measuring, startMeasuring } from '../turns/measure-turns.ts';
import { measureNeighbour, neighbourReport, waitsOf } from '../turns/neighbour-waits.ts';
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

  test('a neighbour is served beside them', async () => {
    const waits = await measureNeighbour(measuring, cases.slice(0, 5), 200);
    assert.ok(waits.idle.requests > 0 && waits.beside.requests > 0, JSON.stringify(waits));
    assert.equal(waits.idle.failed + waits.beside.failed, 0);
    assert.match(neighbourReport(waits), /\| alone \| \d+ \| 0 \|.*\| beside heavy bodies \| \d+ \| 0 \|/s);
  });

  const names = cases.map(({ route }) => route);
  test('every route of the document that takes a body with a schema has one', () => {
    for (const route of [
      'POST /dashboard/policies',
      'PUT /scim/v2/Users/{user_id}',
      'POST /api/v1/tool-requests',
    ])
      assert.ok(names.includes(route), route);
    assert.ok(new Set(names).size > 120, `${new Set(names).size}`);
  });
});

test('a long turn is seen', async () => {
  const watch = watchTurns();
  await watch.longest();
  const spentMs = referenceMs();
  const { ownMs, gcMs } = await watch.longest();
  watch.stop();
  assert.ok(ownMs + gcMs >= spentMs, `${ownMs} and ${gcMs} of ${spentMs}`);
});

test('of a wait, the garbage collection of the gateway is told apart', () => {
  const requests = Array.from({ length: 99 }, (_, n) => ({
    fromMs: 100 * n,
    toMs: 100 * n + 50,
    status: 200,
  }));
  const slow = [
    { fromMs: 20_000, toMs: 20_500, status: 200 },
    { fromMs: 20_100, toMs: 20_600, status: 503 },
  ];
  const collections = [
    { fromMs: 19_900, toMs: 20_050 },
    { fromMs: 20_200, toMs: 20_550 },
    { fromMs: 30_000, toMs: 40_000 },
  ];
  const { p50Ms, p99Ms, ownP99Ms, maxMs, failed } = waitsOf([...requests, ...slow], collections);
  assert.deepEqual({ p50Ms, p99Ms, maxMs, failed }, { p50Ms: 50, p99Ms: 500, maxMs: 500, failed: 1 });
  assert.equal(ownP99Ms, 150);
});

test('a route is told by its longest turn', () => {
  const common = { route: 'guard', project: 'plain', status: 200, gcMs: 1, spentOn: '' } as const;
  const table = turnTable([
    { ...common, about: 'a', ownMs: 12 },
    { ...common, about: 'b', ownMs: 31 },
  ]);
  assert.match(table, /\| guard \| 2 \| 31 \| 1 \| b \(plain, 200\) \|$/);
});
