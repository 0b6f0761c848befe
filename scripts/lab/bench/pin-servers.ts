import { execFileSync } from 'node:child_process';
import { OTHER_CORES, pin } from './start-process.ts';

/** Databases were started by this process and have its core; they get those that nothing measured runs on. */
export function pinServers(): void {
  for (const name of ['postgres', 'redis-server']) {
    let pids: string[] = [];
    try {
      pids = execFileSync('pgrep', [name], { encoding: 'utf8' }).trim().split('\n');
    } catch {
      // There is no pgrep, or the server runs elsewhere.
    }
    for (const pid of pids) pin(OTHER_CORES, Number(pid));
  }
}
