import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time of a process with all its threads, user and system, in microseconds. The scheduler counts nanoseconds, where
 * /proc/PID/stat counts ticks of 10 ms. A thread that ended is no longer counted: a service keeps its threads.
 */
export function threadCpuUs(pid: number): number {
  let total = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  }
  return total / 1000;
}
