/** `npm run lab -- planted [--every N]`: plants orders into honest tool results, and counts what would be forwarded. */
import { outcomeOf } from '../../test/support/planted/measure.ts';
import { PLANTED_CASES, plant } from '../../test/support/planted/plant.ts';
import { readArguments } from '../options.ts';

/** Above this share of the order's words, the order was forwarded. */
const FORWARDED = 0.25;

const { values } = readArguments({
  command: 'npm run lab -- planted',
  about: `Plants 40 orders in 20 wordings into 12 formats at 4 places (${PLANTED_CASES} tool results). Prints how many were found; of those, how many forwarded more than a quarter of the order's words, and how many lost text beyond the order's unit.`,
  options: { every: { type: 'string', help: 'only every Nth case' } },
});
const every = Number(values['every'] ?? 1);
const rows = new Map<string, { cases: number; found: number; forwarded: number; lost: number }>();

for (let index = 0; index < PLANTED_CASES; index += every) {
  const planted = plant(index);
  const { isFound, forwarded, lost } = outcomeOf(planted);
  for (const name of [
    'all',
    `format ${planted.format}`,
    `place ${planted.place}`,
    `wording ${planted.wording + 1}`,
  ]) {
    const row = rows.get(name) ?? { cases: 0, found: 0, forwarded: 0, lost: 0 };
    rows.set(name, row);
    row.cases++;
    if (!isFound) continue;
    row.found++;
    if (forwarded > FORWARDED) row.forwarded++;
    if (lost > 0) row.lost++;
  }
}

const share = (count: number, of: number): string => (of === 0 ? '-' : (count / of).toFixed(4)).padStart(10);
console.log(
  `${''.padEnd(18)}${['cases', 'found', 'forwarded', 'lost more'].map((head) => head.padStart(10)).join('')}`,
);
for (const [name, { cases, found, forwarded, lost }] of rows)
  console.log(
    `${name.padEnd(18)}${String(cases).padStart(10)}${share(found, cases)}${share(forwarded, found)}${share(lost, found)}`,
  );
