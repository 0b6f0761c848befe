/**
 * Compares undocumented bodies, responses and streams with what a provider's own parser reads in them: any text that
 * the engine did not receive is a failure, and so is a secret that passes a stream in pieces.
 *   npm run fuzz -- [--minutes N] [--cases N] [--seed N]
 * The same seed tries the same cases. Exits with 1 if one failed, shrunk to a minimal failing case.
 */
import { FUZZ, tryCases } from '../../test/conformance/random-bodies/properties.ts';
import { readOptions } from '../options.ts';

/** Number of cases between two checks of the clock. */
const ROUND = 2_000;

async function main(): Promise<void> {
  const seedOfNow = String(Date.now() % 1_000_000_000);
  const values = readOptions({
    command: 'npm run fuzz --',
    about: 'Generates random bodies, responses and streams, and fails if a text in them is not inspected.',
    options: {
      minutes: { type: 'string', value: 'N', default: '1', help: 'Duration' },
      cases: { type: 'string', value: 'N', help: 'Maximum number of cases' },
      seed: { type: 'string', value: 'N', default: seedOfNow, help: 'Seed of the cases' },
    },
  });
  const [minutes, maxCases, seed] = [values.minutes, values.cases ?? 'Infinity', values.seed].map(Number) as [
    number,
    number,
    number,
  ];
  if (![minutes, maxCases, seed].every((number) => number >= 0)) {
    throw new Error('--minutes, --cases and --seed must be numbers.');
  }
  console.log(`seed ${seed}`);
  const endMs = performance.now() + minutes * 60_000;
  let tried = 0;
  let failed = 0;
  for (let round = 0; tried < maxCases && performance.now() < endMs; round++) {
    const cases = Math.min(ROUND, maxCases - tried);
    for (const one of FUZZ) {
      const stack = await tryCases(one, Math.ceil(cases * one.share), seed + round);
      if (stack !== null) {
        failed++;
        console.log(`\n${stack}`);
      }
    }
    tried += cases;
    if (failed > 0) break;
  }
  console.log(`${tried} cases, ${failed === 0 ? 'no failures' : `${failed} kinds failed`}`);
  if (failed > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
