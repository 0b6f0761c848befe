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
  /** Named by the environment of the person, who may enroll anywhere. */
  readonly isOwnChoice: boolean;
}

/**
 * The file by which device management enrolls this computer without asking anybody, `{"server", "token"}`; null where
 * there is none.
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

/** SYSTEM, the group of administrators, and the system's own installer. */
const WINDOWS_ADMINS = [
  'S-1-5-18',
  'S-1-5-32-544',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
];

/**
 * Null where only administrators can have written the file: it and its folder belong to them. Otherwise any user of the
 * computer could enroll the others with a server of their own. The sentence says what to do.
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
      return `This computer was not enrolled: ${target} must belong to administrators, and nobody else may write to it.`;
    }
  }
  return null;
}

function isOwnedByRoot(target: string): boolean {
  const found = statSync(target, { throwIfNoEntry: false });
  return found !== undefined && found.uid === 0 && (found.mode & 0o022) === 0;
}

/** An ordinary user can give what is theirs to nobody else, so what belongs to administrators was made by one. */
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

/** Tries until it is done, in growing pauses: at a start the network may not be there yet. */
export async function enrollManaged(options: ManagedEnrollment): Promise<void> {
  let pauseMs = options.firstPauseMs;
  while (!options.signal.aborted && !(await options.tryNow())) {
    await setTimeout(pauseMs, null, { signal: options.signal, ref: false }).catch(() => null);
    pauseMs = Math.min(2 * pauseMs, options.longestPauseMs);
  }
}
