/**
 * Preloaded into every process and thread of a coverage run. Node writes `NODE_V8_COVERAGE` when a process exits; for a
 * killed one the last of these periodic writes counts. Each file contains what ran since the previous one. A write takes
 * 20 ms in a process with the gateway: on a busy computer, processes would do little else if the period alone decided.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import { takeCoverage } from 'node:v8';

const PERIOD_MS = 500;
const OPTION = `--import=${import.meta.url}`;

/** The greatest part of its CPU time that a thread spends on writes. */
const MAX_PART = 0.05;

let dueMs = 0;
setInterval(() => {
  const startMs = cpuMs();
  if (startMs < dueMs) return;
  takeCoverage();
  const endMs = cpuMs();
  dueMs = endMs + (endMs - startMs) / MAX_PART;
}, PERIOD_MS).unref();

function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

// Node passes NODE_V8_COVERAGE even to a process with its own environment; this preload has to be passed with it.
tracingChannel('child_process.spawn').start.subscribe((message) => {
  const { options } = /** @type {{ options: { envPairs?: string[] } }} */ (message);
  const pairs = options.envPairs ?? [];
  const before = pairs.find((pair) => pair.startsWith('NODE_OPTIONS=')) ?? 'NODE_OPTIONS=';
  if (before.includes(OPTION)) return;
  options.envPairs = [...pairs.filter((pair) => pair !== before), `${before} ${OPTION}`];
});
