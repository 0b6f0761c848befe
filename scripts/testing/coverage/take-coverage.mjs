/**
 * Preloaded into every process and thread of a coverage run. Node writes `NODE_V8_COVERAGE` when a process exits; for a
 * killed one the last of these periodic writes counts. Each file contains what ran since the previous one.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import { takeCoverage } from 'node:v8';

const PERIOD_MS = 500;
const OPTION = `--import=${import.meta.url}`;

setInterval(takeCoverage, PERIOD_MS).unref();

// Node passes NODE_V8_COVERAGE even to a process with its own environment; this preload has to be passed with it.
tracingChannel('child_process.spawn').start.subscribe((message) => {
  const { options } = /** @type {{ options: { envPairs?: string[] } }} */ (message);
  const pairs = options.envPairs ?? [];
  const before = pairs.find((pair) => pair.startsWith('NODE_OPTIONS=')) ?? 'NODE_OPTIONS=';
  if (before.includes(OPTION)) return;
  options.envPairs = [...pairs.filter((pair) => pair !== before), `${before} ${OPTION}`];
});
