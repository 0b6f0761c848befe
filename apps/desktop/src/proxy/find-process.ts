import { readdir, readFile, readlink } from 'node:fs/promises';
import type { RunCommand } from '../trust/trust-store.ts';

/**
 * Finds the program at the other end of a loopback connection by its port: the path of its executable, or null if it
 * cannot be determined (another user's process). Takes milliseconds, outside Linux up to a second: call it only if
 * needed.
 */
export type FindProcess = (clientPort: number, proxyPort: number) => Promise<string | null>;

const TIMEOUT_MS = 3_000;

export function createFindProcess(platform: NodeJS.Platform, run: RunCommand): FindProcess {
  const find = platform === 'linux' ? findOnLinux : platform === 'win32' ? onWindows(run) : byLsof(run);
  return (clientPort, proxyPort) => find(clientPort, proxyPort).catch(() => null);
}

/** Uses lsof(8) in its machine-readable form: a line `pPID`, then a line `nLOCAL->REMOTE` per connection. */
export function byLsof(run: RunCommand): FindProcess {
  return async (clientPort, proxyPort) => {
    const args = ['-nP', '-a', `-iTCP:${clientPort}`, '-sTCP:ESTABLISHED', '-Fpn'];
    const listed = await run('lsof', args, { timeoutMs: TIMEOUT_MS });
    let pid: string | null = null;
    for (const line of listed.stdout.split('\n')) {
      if (line.startsWith('p')) pid = line.slice(1);
      const isClient =
        line.startsWith('n') && line.includes(`:${clientPort}->`) && line.endsWith(`:${proxyPort}`);
      if (isClient && pid !== null) return commandOf(run, pid);
    }
    return null;
  };
}

/** On macOS `comm` is the path of the executable. */
async function commandOf(run: RunCommand, pid: string): Promise<string | null> {
  const { code, stdout } = await run('ps', ['-p', pid, '-o', 'comm='], { timeoutMs: TIMEOUT_MS });
  return code === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}

function onWindows(run: RunCommand): FindProcess {
  return async (clientPort, proxyPort) => {
    const command =
      `(Get-Process -Id (Get-NetTCPConnection -State Established -LocalPort ${clientPort} ` +
      `-RemotePort ${proxyPort}).OwningProcess).Path`;
    const args = ['-NoProfile', '-NonInteractive', '-Command', command];
    const { code, stdout } = await run('powershell.exe', args, { timeoutMs: TIMEOUT_MS });
    const [path = ''] = stdout.trim().split(/\r?\n/);
    return code === 0 && path !== '' ? path : null;
  };
}

async function findOnLinux(clientPort: number, proxyPort: number): Promise<string | null> {
  const inode = await inodeOf(clientPort, proxyPort);
  return inode === null ? null : ownerOf(inode);
}

async function inodeOf(clientPort: number, proxyPort: number): Promise<string | null> {
  const local = hexPort(clientPort);
  const remote = hexPort(proxyPort);
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = await readFile(table, 'utf8').catch(() => '');
    for (const line of lines.split('\n')) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(`:${local}`) && fields[2]?.endsWith(`:${remote}`)) return fields[9] ?? null;
    }
  }
  return null;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

async function ownerOf(inode: string): Promise<string | null> {
  const wanted = `socket:[${inode}]`;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const file of files) {
      const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '');
      if (target === wanted) return await readlink(`/proc/${pid}/exe`).catch(() => null);
    }
  }
  return null;
}
