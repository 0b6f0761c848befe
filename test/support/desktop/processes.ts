import { readFileSync } from 'node:fs';

/** Finds a process of an agent by its script: `proxy-process`, `restore-watchdog`. Linux. */
export function childOf(pid: number, script: string): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  return children.map(Number).find((child) => commandOf(child).includes(script));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns whether it is gone, or a zombie that its parent has not collected. */
export function isGone(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
