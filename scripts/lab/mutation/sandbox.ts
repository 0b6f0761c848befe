import { spawn } from 'node:child_process';
import {
  cpSync,
  globSync,
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
import { bundlePackages } from '../../testing/bundle-packages.ts';
import { RECORD_FOLDER } from '../../testing/changed/record-reach.ts';
import { groupFiles } from '../../testing/group-files.ts';
import { quickImports } from '../../testing/packages.ts';

const FOLDERS = ['apps', 'build', 'docs', 'scripts', 'shared', 'test'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', '.npmrc', 'README.md'];
const NOT_COPIED = new Set(['node_modules', 'dist', '.data']);
/** The workspaces, which must resolve to the copy. */
const OWN_SCOPE = '@csg';
/** Runs the files of a group. */
const RUN_FILES = 'scripts/lab/mutation/run-files.ts';

export type Verdict = 'passed' | 'failed' | 'timed out';

/** A copy of the project in which files are changed and tests run; the project itself is never changed. */
export interface Sandbox {
  read(file: string): string;
  write(file: string, text: string): void;
  /** Groups test files that share a process, in order. */
  groupsOf(tests: readonly string[]): readonly (readonly string[])[];
  /** Runs the test files of a group in a separate process, up to the first failing test. */
  runTests(
    files: readonly string[],
    limitMs: number,
  ): Promise<{ readonly verdict: Verdict; readonly ms: number }>;
  remove(): void;
}

export async function openSandbox(root: string): Promise<Sandbox> {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-mutants-'));
  for (const name of FOLDERS) {
    cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (from) => !NOT_COPIED.has(path.basename(from)),
    });
  }
  for (const name of FILES) cpSync(path.join(root, name), path.join(folder, name));
  linkPackages(root, folder);
  const preload = quickImports(folder, { packages: await bundlePackages(root) });
  return {
    read: (file) => readFileSync(path.join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(path.join(folder, file), text),
    groupsOf: (tests) =>
      groupFiles(folder, tests).map((group) => group.map((file) => path.relative(folder, file))),
    runTests: (files, limitMs) => runFiles(folder, preload, files, limitMs),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function linkPackages(root: string, folder: string): void {
  const packages = path.join(folder, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name !== OWN_SCOPE) symlinkSync(path.join(root, 'node_modules', name), path.join(packages, name));
  }
  // Relative links resolve to the copy inside the copy.
  cpSync(path.join(root, 'node_modules', OWN_SCOPE), path.join(packages, OWN_SCOPE), {
    recursive: true,
    verbatimSymlinks: true,
  });
  // Packages of one workspace alone: npm keeps some beside it.
  for (const own of globSync('{apps,shared,scripts}/{,*/,*/*/}node_modules', { cwd: root }))
    symlinkSync(path.join(root, own), path.join(folder, own));
}

async function runFiles(
  cwd: string,
  preload: string,
  files: readonly string[],
  limitMs: number,
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  const startedMs = performance.now();
  const { NODE_TEST_CONTEXT: _context, NODE_DISABLE_COMPILE_CACHE: _disabled, ...others } = process.env;
  // Node would pass on the folder of the run that this process is in.
  const env = {
    ...others,
    NODE_V8_COVERAGE: '',
    [RECORD_FOLDER]: '',
    NODE_COMPILE_CACHE: path.join(cwd, '.compile-cache'),
  };
  const args = [`--import=${preload}`, '--test-force-exit', RUN_FILES, ...files];
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: 'ignore',
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child.pid);
  }, limitMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  // A failed test may leave processes.
  endGroup(child.pid);
  return {
    verdict: isLate ? 'timed out' : code === 0 ? 'passed' : 'failed',
    ms: performance.now() - startedMs,
  };
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All processes have exited.
  }
}
