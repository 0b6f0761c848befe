/** `npm run lab -- hostile-desktop`: malformed requests to the agent's proxy, a thousand per round, each with its own seed. */
import { readOptions } from '../options.ts';
import { runTests } from '../testing/run-tests.ts';

const SUITE = 'test/desktop/proxy/proxy-process-odd-requests.test.ts';

if (import.meta.main) {
  const { rounds, seed } = readOptions({
    command: 'npm run lab -- hostile-desktop',
    about: 'Sends malformed requests to the proxy process of the agent, which must not exit.',
    options: {
      rounds: { type: 'string', default: '100', value: 'N', help: 'Rounds of 1,000 requests' },
      seed: { type: 'string', default: '1', value: 'N', help: 'Seed of the first round' },
    },
  });
  for (let round = 0; round < Number(rounds) && !process.exitCode; round++) {
    process.env['ODD_REQUESTS_SEED'] = String(Number(seed) + round);
    process.exitCode = await runTests([SUITE]);
  }
}
