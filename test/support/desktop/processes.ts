import { readFileSync } from 'node:fs';

/** Processes of an agent, by the script they run: `proxy-process`, `restore-watchdog`. Linux. */
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

/** Gone, or only not yet taken note of by its parent. */
export function isGone(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
