/**
 * `npm run lab -- turns [--kinds N] [--seed N] [--only TEXT] [--limit MS]`: the longest turn of the event loop for heavy
 * bodies, route by route. Exit code 1 if one is over the limit.
 */
import { createRandom } from '../../test/support/random.ts';
import { readOptions } from '../options.ts';
import { heavyCases } from './turns/heavy-cases.ts';
import { type MeasuredCase, startMeasuring } from './turns/measure-turns.ts';
import { turnTable } from './turns/turn-table.ts';

const values = readOptions({
  command: 'npm run lab -- turns',
  about:
    'Measures the longest turn of the event loop, in CPU time without garbage collection, for heavy bodies of every route. Exit code 1 if one is over the limit.',
  options: {
    kinds: { type: 'string', value: 'N', default: '2', help: 'Kinds of texts for each route and shape' },
    seed: { type: 'string', value: 'N', default: '1', help: 'Chooses the kinds' },
    only: { type: 'string', value: 'TEXT', default: '', help: 'Only cases with this text in their name' },
    limit: { type: 'string', value: 'MS', default: '30', help: 'Longest turn that is accepted' },
  },
});
const limitMs = Number(values.limit);
const cases = heavyCases(createRandom(Number(values.seed)), Number(values.kinds)).filter(({ route, about }) =>
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
await measuring.close();
const over = measured.filter(({ ownMs }) => ownMs > limitMs).length;
console.log(turnTable(measured));
console.log(`${over} of ${measured.length} heavy bodies have a turn of more than ${limitMs} ms.`);
process.exitCode = over === 0 ? 0 : 1;
