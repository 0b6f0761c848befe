import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { RunCommand } from '../trust/trust-store.ts';

const FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/Library/Application Support/Content Security Agent'],
  linux: ['/etc/content-security-agent'],
};

export interface ManagedFile {
  readonly path: string;
  /** Set in the user's own environment, who can enroll anywhere. */
  readonly isOwnChoice: boolean;
}

/**
 * The file with which device management enrolls this computer without confirmation, `{"server", "token"}`; null if there
 * is none.
 */
export function findManagedFile(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): ManagedFile | null {
  const chosen = env['AGENT_MANAGED_FILE'] ?? '';
  if (chosen !== '' && existsSync(chosen)) return { path: chosen, isOwnChoice: true };
  const programData = env['ProgramData'] ?? 'C:\\ProgramData';
  const folders =
    platform === 'win32' ? [path.win32.join(programData, 'Content Security Agent')] : FOLDERS[platform];
  const found = (folders ?? [])
    .map((folder) => path.join(folder, 'managed.json'))
    .find((file) => existsSync(file));
  return found === undefined ? null : { path: found, isOwnChoice: false };
}

/** SYSTEM, the Administrators group and TrustedInstaller. */
const WINDOWS_ADMINS = [
  'S-1-5-18',
  'S-1-5-32-544',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
];

/**
 * Null if only administrators can write the file and its folder. Otherwise any user of the computer could enroll the
 * others with their own server.
 */
export async function managedFileProblem(
  file: ManagedFile,
  platform: NodeJS.Platform,
  run: RunCommand,
): Promise<string | null> {
  if (file.isOwnChoice) return null;
  const join = platform === 'win32' ? path.win32 : path.posix;
  for (const target of [file.path, join.dirname(file.path)]) {
    const isSafe = platform === 'win32' ? await isOwnedByWindowsAdmins(target, run) : isOwnedByRoot(target);
    if (!isSafe) {
      return `This computer was not enrolled. ${target} must be owned by administrators and writable only by them.`;
    }
  }
  return null;
}

function isOwnedByRoot(target: string): boolean {
  const found = statSync(target, { throwIfNoEntry: false });
  return found !== undefined && found.uid === 0 && (found.mode & 0o022) === 0;
}

/** Standard users cannot transfer ownership, so a file owned by administrators was created by one. */
async function isOwnedByWindowsAdmins(target: string, run: RunCommand): Promise<boolean> {
  const literal = `'${target.replaceAll("'", "''")}'`;
  const command = `(Get-Acl -LiteralPath ${literal}).GetOwner([Security.Principal.SecurityIdentifier]).Value`;
  const { code, stdout } = await run('powershell.exe', [
    '-NoProfile',
    '-NonInteractive',
    '-Command',
    command,
  ]);
  return code === 0 && WINDOWS_ADMINS.includes(stdout.trim());
}

export interface ManagedEnrollment {
  /** Resolves to true once this computer is enrolled. */
  readonly tryNow: () => Promise<boolean>;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly signal: AbortSignal;
}

/** Tries with growing delays until it succeeds, because the network may not be available at startup. */
export async function enrollManaged(options: ManagedEnrollment): Promise<void> {
  let pauseMs = options.firstPauseMs;
  while (!options.signal.aborted && !(await options.tryNow())) {
    await setTimeout(pauseMs, null, { signal: options.signal, ref: false }).catch(() => null);
    pauseMs = Math.min(2 * pauseMs, options.longestPauseMs);
  }
}
