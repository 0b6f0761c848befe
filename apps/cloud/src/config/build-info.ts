import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../../..');

/** Returns the version of the release and its commit, from the environment or else from the Git clone it runs in. */
export function readBuildInfo(commit: string | undefined): {
  readonly version: string;
  readonly commit: string | null;
} {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'apps/cloud/package.json'), 'utf8')) as {
    version: string;
  };
  return { version, commit: commit ?? commitOfClone() };
}

function commitOfClone(): string | null {
  try {
    const head = readFileSync(join(ROOT, '.git/HEAD'), 'utf8').trim();
    const branch = /^ref: (.+)$/.exec(head)?.[1];
    const commit =
      branch === undefined ? head : readFileSync(join(ROOT, '.git', ...branch.split('/')), 'utf8').trim();
    return /^[0-9a-f]{40,64}$/.test(commit) ? commit : null;
  } catch {
    // There is no clone, or its branches are packed; releases set GATEWAY_COMMIT.
    return null;
  }
}
