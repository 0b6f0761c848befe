import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/Library/Application Support/Content Security Agent'],
  linux: ['/etc/content-security-agent'],
};

/**
 * The file by which device management enrolls this computer without asking anybody, `{"server", "token"}`; null where
 * there is none. Only administrators can write where it lies.
 */
export function findManagedFile(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const programData = env['ProgramData'] ?? 'C:\\ProgramData';
  const folders =
    platform === 'win32' ? [path.win32.join(programData, 'Content Security Agent')] : FOLDERS[platform];
  const places = [
    env['AGENT_MANAGED_FILE'],
    ...(folders ?? []).map((folder) => path.join(folder, 'managed.json')),
  ];
  return (
    places.find((place): place is string => place !== undefined && place !== '' && existsSync(place)) ?? null
  );
}

export interface ManagedEnrollment {
  /** Resolves to true once this computer is enrolled. */
  readonly tryNow: () => Promise<boolean>;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly signal: AbortSignal;
}

/** Tries until it is done, in growing pauses: at a start the network may not be there yet. */
export async function enrollManaged(options: ManagedEnrollment): Promise<void> {
  let pauseMs = options.firstPauseMs;
  while (!options.signal.aborted && !(await options.tryNow())) {
    await setTimeout(pauseMs, null, { signal: options.signal, ref: false }).catch(() => null);
    pauseMs = Math.min(2 * pauseMs, options.longestPauseMs);
  }
}
