import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import type { Platform } from '@csg/shared/contract';

/** The nearest package.json above this file: that of the sources or of the build. */
const PACKAGE_FILE = findPackageJSON('..', import.meta.url) ?? '';

export const AGENT_VERSION: string = (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string })
  .version;

/**
 * Flags for the Node that runs the agent. It allocates little, and V8 would reserve 32 MB for short-lived objects from
 * the start: the first flag saves 29 MB (measured). Without a thread pool it uses 7 MB less, and wakes the computer up
 * less often.
 */
export const AGENT_NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=1',
  '--v8-pool-size=0',
  '--expose-gc',
];

/** Returns a program file of this package, such as `proxy/proxy-process`: a source file, or its build. */
export function programFile(name: string): string {
  return path.join(path.dirname(PACKAGE_FILE), 'src', `${name}${path.extname(import.meta.filename)}`);
}

/** Returns the service's name for the system. */
export function platformName(platform: NodeJS.Platform): Platform {
  if (platform === 'darwin') return 'macos';
  return platform === 'win32' ? 'windows' : 'linux';
}
