import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A small disk for the test to fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Writes a file until `leftBytes` are free; fills the disk completely by default. */
  fill(leftBytes?: number): void;
  /** Deletes the file that `fill` wrote. */
  free(): void;
  makeReadOnly(): void;
  remove(): void;
}

export const NO_SMALL_DISK = 'mounting a small disk needs root';

/** Null if this user may not mount one. */
export function mountSmallDisk(sizeMib: number): SmallDisk | null {
  if (process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-disk-'));
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  try {
    mount(`size=${sizeMib}m`);
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill(leftBytes = 0) {
      for (const size of [65_536, 4_096, 1]) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
        } catch {
          // No write of this size fits any more.
        }
      }
      if (leftBytes > 0) truncateSync(filler, Math.max(0, statSync(filler).size - leftBytes));
    },
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => mount('remount,ro'),
    remove() {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
