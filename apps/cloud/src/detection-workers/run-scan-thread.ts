import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { UnscannableTextError } from '@csg/shared/detection';
import { runScanTask, type ScanTask } from './scan-worker.ts';

/** A message from the thread: ready, or the result of a task; with the CPU time used so far. */
export interface ThreadMessage {
  readonly cpuMs: number;
  readonly result?: unknown;
  readonly unscannable?: UnscannableTextError['reason'];
  readonly error?: Error;
}

const port = parentPort!;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function resultOf(task: ScanTask): Omit<ThreadMessage, 'cpuMs'> {
  try {
    return { result: runScanTask(task) };
  } catch (error) {
    if (error instanceof UnscannableTextError) return { unscannable: error.reason };
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

// Only Linux has thread priorities. Of threads competing for a core, those with smaller tasks run first.
if (process.platform === 'linux') setPriority((workerData as { niceness: number }).niceness);

port.on('message', (task: ScanTask) => {
  const result = resultOf(task);
  port.postMessage({ ...result, cpuMs: cpuMs() } satisfies ThreadMessage);
});
port.postMessage({ cpuMs: cpuMs() } satisfies ThreadMessage);
