import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasCommand } from './start-process.ts';

const TICKS_PER_SECOND = hasCommand('getconf', ['CLK_TCK'])
  ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  : 100;

/** CPU time of a process with all its threads, user and system, in microseconds; null where there is no /proc. */
export function cpuUs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** Resident memory in bytes; null where there is no /proc. */
export function residentBytes(pid: number): number | null {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Number(kib) * 1024;
  } catch {
    return null;
  }
}
