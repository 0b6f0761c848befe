/** `npm run hostile:desktop`: malformed requests to the agent's proxy, a thousand per round, each with its own seed. */
import { readOptions } from './options.ts';
import { runTests } from './test.ts';

const SUITE = 'test/desktop/proxy/proxy-process-odd-requests.test.ts';

if (import.meta.main) {
  const { rounds, seed } = readOptions({
    command: 'npm run hostile:desktop --',
    about: 'odd requests to the proxy process of the agent: it must not end',
    options: {
      rounds: { type: 'string', default: '100', value: 'N', help: 'rounds of 1,000 requests (default: 100)' },
      seed: { type: 'string', default: '1', value: 'N', help: 'seed of the first round (default: 1)' },
    },
  });
  for (let round = 0; round < Number(rounds) && !process.exitCode; round++) {
    process.env['ODD_REQUESTS_SEED'] = String(Number(seed) + round);
    process.exitCode = await runTests([SUITE]);
  }
}
