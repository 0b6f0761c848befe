import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Coverage, readCoverage } from './coverage.ts';

const FOLDERS = ['apps', 'build', 'docs', 'scripts', 'shared', 'test'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', '.npmrc', 'README.md'];
const NOT_COPIED = new Set(['node_modules', 'dist', '.data']);
/** The workspaces, which have to be those of the copy. */
const OWN_SCOPE = '@csg';
const TEST_LIMIT_MS = 60_000;

export type Verdict = 'passed' | 'failed' | 'timed out';

/** A copy of the project in which files are changed and tests run; the project itself is never touched. */
export interface Sandbox {
  read(file: string): string;
  write(file: string, text: string): void;
  /** Runs one test file in a process of its own. */
  runTest(file: string, limitMs: number): Promise<{ readonly verdict: Verdict; readonly ms: number }>;
  /** Which code of `files` a test file runs. */
  cover(
    file: string,
    files: ReadonlySet<string>,
  ): Promise<{ readonly ms: number; readonly coverage: Coverage }>;
  remove(): void;
}

export function openSandbox(root: string): Sandbox {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-mutants-'));
  for (const name of FOLDERS) {
    cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (from) => !NOT_COPIED.has(path.basename(from)),
    });
  }
  for (const name of FILES) cpSync(path.join(root, name), path.join(folder, name));
  linkPackages(root, folder);
  return {
    read: (file) => readFileSync(path.join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(path.join(folder, file), text),
    runTest: (file, limitMs) => runTest(folder, file, limitMs),
    cover: async (file, files) => {
      const raw = mkdtempSync(path.join(tmpdir(), 'csg-coverage-'));
      try {
        // Code from the compile cache has no exact coverage.
        const env = { NODE_V8_COVERAGE: raw, NODE_DISABLE_COMPILE_CACHE: '1' };
        const { ms } = await runTest(folder, file, 10 * TEST_LIMIT_MS, env);
        return { ms, coverage: readCoverage(raw, folder, files) };
      } finally {
        rmSync(raw, { recursive: true, force: true });
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function linkPackages(root: string, folder: string): void {
  const packages = path.join(folder, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name !== OWN_SCOPE) symlinkSync(path.join(root, 'node_modules', name), path.join(packages, name));
  }
  // Relative links: in the copy they lead to the copy.
  cpSync(path.join(root, 'node_modules', OWN_SCOPE), path.join(packages, OWN_SCOPE), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

async function runTest(
  cwd: string,
  file: string,
  limitMs: number,
  further: Readonly<Record<string, string>> = {},
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  const startedMs = performance.now();
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const args = ['--test', '--test-force-exit', `--test-timeout=${TEST_LIMIT_MS}`, file];
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, ...further },
    stdio: 'ignore',
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // The runner and the process of the file.
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }, limitMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return {
    verdict: isLate ? 'timed out' : code === 0 ? 'passed' : 'failed',
    ms: performance.now() - startedMs,
  };
}
