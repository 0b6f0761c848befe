import { readFileSync } from 'node:fs';
import type { Platform } from '@csg/shared/contract';

/** Of the package. */
export const AGENT_VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** As the service names systems. */
export function platformName(platform: NodeJS.Platform): Platform {
  if (platform === 'darwin') return 'macos';
  return platform === 'win32' ? 'windows' : 'linux';
}
