/**
 * Preloaded into every process and thread of a coverage run. Node writes `NODE_V8_COVERAGE` where a process ends by
 * itself; one that is killed leaves what it had run at the last of these times. Each file has what ran since the one
 * before it.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import { takeCoverage } from 'node:v8';

const PERIOD_MS = 500;
const OPTION = `--import=${import.meta.url}`;

setInterval(takeCoverage, PERIOD_MS).unref();

// Node hands on NODE_V8_COVERAGE also where a process gets an environment of its own; this preload has to go with it.
tracingChannel('child_process.spawn').start.subscribe((message) => {
  const { options } = /** @type {{ options: { envPairs?: string[] } }} */ (message);
  const pairs = options.envPairs ?? [];
  const before = pairs.find((pair) => pair.startsWith('NODE_OPTIONS=')) ?? 'NODE_OPTIONS=';
  if (before.includes(OPTION)) return;
  options.envPairs = [...pairs.filter((pair) => pair !== before), `${before} ${OPTION}`];
});
