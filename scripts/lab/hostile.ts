/** `npm run lab -- hostile`: the suites that attack a running service, in full. */
import { readOptions } from '../options.ts';
import { runTests } from '../testing/run-tests.ts';

const SUITES = [
  'test/e2e/hostile-*.test.ts',
  'test/e2e/bypass.test.ts',
  'test/e2e/canary-matrix.test.ts',
  'test/e2e/dashboard-attacks.test.ts',
];

if (import.meta.main) {
  readOptions({
    command: 'npm run lab -- hostile',
    about: 'Runs all suites that attack a running service.',
    options: {},
  });
  // `npm test` runs only a part of them.
  process.env['LONG'] = '1';
  process.exitCode = await runTests(SUITES);
}
