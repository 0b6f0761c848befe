import { readdir, readFile, readlink } from 'node:fs/promises';

/**
 * The program at the other end of a loopback connection, by the port it comes from: its executable's path, or null
 * where that cannot be found out (another user's process, another OS). Takes milliseconds: ask only where it matters.
 */
export type FindProcess = (clientPort: number, proxyPort: number) => Promise<string | null>;

export const findProcess: FindProcess = async (clientPort, proxyPort) => {
  if (process.platform !== 'linux') return null;
  try {
    const inode = await inodeOf(clientPort, proxyPort);
    return inode === null ? null : await ownerOf(inode);
  } catch {
    return null;
  }
};

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
