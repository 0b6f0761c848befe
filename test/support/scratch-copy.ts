import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { tempFolder } from './temp-folder.ts';

/** A copy of the project in a folder of its own, to change it and run it there. */
export interface ScratchCopy {
  readonly root: string;
  read(file: string): string;
  /** Writes a file, and creates its folders. */
  write(file: string, text: string): void;
  /** Runs this Node with these arguments. */
  run(...args: string[]): { readonly passed: boolean; readonly output: string };
}

const PROJECT = path.resolve(import.meta.dirname, '../..');
/** Not copied: the history, packages, and build results. */
const LEFT_BEHIND = new Set(['.git', 'node_modules', 'dist']);
/** Workspaces of the project: links relative to their folder. */
const OWN_SCOPE = '@csg';

/** Its packages are the project's; its workspaces are its own. */
export function makeScratchCopy(name: string): ScratchCopy {
  const root = tempFolder(name);
  cpSync(PROJECT, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !LEFT_BEHIND.has(path.basename(file)),
  });
  linkPackages(path.join(PROJECT, 'node_modules'), path.join(root, 'node_modules'));
  for (const workspace of workspaces()) {
    const packages = path.join(workspace, 'node_modules');
    if (existsSync(path.join(PROJECT, packages)))
      linkPackages(path.join(PROJECT, packages), path.join(root, packages));
  }
  const { NODE_TEST_CONTEXT: _test, NODE_OPTIONS: _options, ...env } = process.env;
  return {
    root,
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    write(file, text) {
      const target = path.join(root, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    },
    run(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: root,
        env,
        encoding: 'utf8',
      });
      return { passed: status === 0, output: `${stdout}${stderr}` };
    },
  };
}

/** npm installs a package there if the root has another version of it. */
function workspaces(): string[] {
  const { workspaces } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
    readonly workspaces: readonly string[];
  };
  return globSync([...workspaces], { cwd: PROJECT });
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === OWN_SCOPE) continue;
    const type = process.platform === 'win32' ? 'junction' : null;
    symlinkSync(path.join(from, name), path.join(to, name), type);
  }
  const scope = path.join(from, OWN_SCOPE);
  if (existsSync(scope)) cpSync(scope, path.join(to, OWN_SCOPE), { recursive: true, verbatimSymlinks: true });
}
