/**
 * `npm run lab -- turns [--kinds N] [--seed N] [--only TEXT] [--limit MS] [--beside N] [--wait MS]`: the longest turn of
 * the event loop for heavy bodies, route by route, and how long another organization's small requests take beside them.
 * Exit code 1 if one is over its limit.
 */
import { createRandom } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import { heavyCases } from './turns/heavy-cases.ts';
import { type MeasuredCase, startMeasuring } from './turns/measure-turns.ts';
import { excessMs, measureNeighbour, neighbourReport } from './turns/neighbour-waits.ts';
import { turnTable } from './turns/turn-table.ts';

const values = readOptions({
  command: 'npm run lab -- turns',
  about:
    'Measures the longest turn of the event loop, in CPU time without garbage collection, for heavy bodies of every route, and the waits of a neighbour beside them. Exit code 1 if one is over its limit.',
  options: {
    kinds: { type: 'string', value: 'N', default: '2', help: 'Kinds of texts for each route and shape' },
    seed: { type: 'string', value: 'N', default: '1', help: 'Chooses the kinds' },
    only: { type: 'string', value: 'TEXT', default: '', help: 'Only cases with this text in their name' },
    limit: { type: 'string', value: 'MS', default: '30', help: 'Longest turn that is accepted' },
    beside: {
      type: 'string',
      value: 'N',
      default: '100',
      help: 'Heavy bodies beside which a neighbour waits',
    },
    wait: {
      type: 'string',
      value: 'MS',
      default: '150',
      help: 'What 99 of 100 waits may exceed those alone by',
    },
  },
});
/** So long a neighbour is measured alone. */
const IDLE_MS = 20_000;
const limitMs = Number(values.limit);
const random = createRandom(Number(values.seed));
const cases = heavyCases(random, Number(values.kinds)).filter(({ route, about }) =>
  `${route}: ${about}`.includes(values.only),
);
const measuring = await startMeasuring();
const measured: MeasuredCase[] = [];
for (const one of cases) {
  const result = await measuring.measure(one, limitMs);
  measured.push(result);
  const { route, about, project, ownMs, spentOn } = result;
  if (ownMs > limitMs) console.error(`  ${route}: ${about} (${project}): ${ownMs.toFixed(0)} ms; ${spentOn}`);
}
console.log(turnTable(measured));
const over = measured.filter(({ ownMs }) => ownMs > limitMs).length;
console.log(`${over} of ${measured.length} heavy bodies have a turn of more than ${limitMs} ms.`);
const beside = random.shuffled(cases).slice(0, Number(values.beside));
let isDelayed = false;
if (beside.length > 0) {
  const waits = await measureNeighbour(measuring, beside, IDLE_MS);
  isDelayed = excessMs(waits) > Number(values.wait) || waits.beside.failed > 0;
  console.log(`\n${neighbourReport(waits)}`);
  console.log(
    `Beside ${beside.length} heavy bodies 99 of 100 waits are at most ${excessMs(waits).toFixed(0)} ms longer than alone, garbage collection apart; ${values.wait} ms are accepted.`,
  );
}
await measuring.close();
process.exitCode = over === 0 && !isDelayed ? 0 : 1;
