import { execFile } from 'node:child_process';
import type { RunCommand } from './trust-store.ts';

const MAX_OUTPUT = 4 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 60_000;

/** Runs real commands, without a shell, in the C locale, because their output is parsed. */
export function createRunCommand(env: Readonly<Record<string, string | undefined>>): RunCommand {
  return (file, args, options = {}) =>
    new Promise((resolve) => {
      const child = execFile(
        file,
        args,
        {
          env: { ...env, LC_ALL: 'C' },
          timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
          maxBuffer: MAX_OUTPUT,
          windowsHide: true,
        },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
          resolve({ code, stdout, stderr: stderr || (code === null ? (error?.message ?? '') : '') });
        },
      );
      child.stdin?.on('error', () => {});
      child.stdin?.end(options.input ?? '');
    });
}
