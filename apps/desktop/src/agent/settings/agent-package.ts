import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import type { Platform } from '@csg/shared/contract';

/** The nearest one above this file: that of the sources, or of what was built of them. */
const PACKAGE_FILE = findPackageJSON('..', import.meta.url) ?? '';

export const AGENT_VERSION: string = (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string })
  .version;

/**
 * For the Node that runs the agent. It allocates little, and V8 would keep 32 MB for short-lived objects from the start
 * on: measured, 29 MB less with the first. Without a pool of threads it has 7 MB less, and wakes the computer up less often.
 */
export const AGENT_NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=1',
  '--v8-pool-size=0',
  '--expose-gc',
];

/** A program of its own of this package, such as `proxy/proxy-process`: a source file, or what was built of it. */
export function programFile(name: string): string {
  return path.join(path.dirname(PACKAGE_FILE), 'src', `${name}${path.extname(import.meta.filename)}`);
}

/** As the service names systems. */
export function platformName(platform: NodeJS.Platform): Platform {
  if (platform === 'darwin') return 'macos';
  return platform === 'win32' ? 'windows' : 'linux';
}
