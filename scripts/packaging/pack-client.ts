/**
 * `npm run package -- client`: packs @csg/client as a standalone package: JavaScript and types for Node 20 and browsers, in a
 * file for `npm install`.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readOptions } from '../options.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCE = path.join(ROOT, 'shared/client');
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** Writes the package into `folder` and returns the path of the file. */
export async function packClient(folder: string): Promise<string> {
  const work = mkdtempSync(path.join(tmpdir(), 'csg-client-'));
  try {
    await compile(path.join(work, 'dist'));
    writeFileSync(path.join(work, 'package.json'), JSON.stringify(manifest(), null, 2));
    for (const [from, to] of [
      [path.join(SOURCE, 'README.md'), 'README.md'],
      [path.join(ROOT, 'LICENSE'), 'LICENSE'],
    ] as const) {
      copyFileSync(from, path.join(work, to));
    }
    mkdirSync(folder, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: work });
    const [packed] = JSON.parse(stdout) as { readonly filename: string }[];
    return path.join(folder, packed!.filename);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function compile(outDir: string): Promise<void> {
  const files = ['index.ts', 'schema.ts'].map((file) => path.join(SOURCE, file));
  const platform = ['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext', '--types', ''];
  const output = [
    '--outDir',
    outDir,
    '--rootDir',
    SOURCE,
    '--declaration',
    '--rewriteRelativeImportExtensions',
  ];
  const checks = ['--strict', '--skipLibCheck', '--ignoreConfig'];
  try {
    await run(process.execPath, [COMPILER, ...files, ...platform, ...output, ...checks], { cwd: SOURCE });
  } catch (error) {
    throw new Error(`compilation failed: ${(error as { stdout?: string }).stdout}`);
  }
  // The compiler rewrites imports in JavaScript only; older compilers do not accept `.ts` in types.
  const types = path.join(outDir, 'index.d.ts');
  writeFileSync(types, readFileSync(types, 'utf8').replaceAll("'./schema.ts'", "'./schema.js'"));
}

/** Returns the manifest of the sources, with the compiled files in their place. */
function manifest(): object {
  const {
    private: _,
    exports: __,
    ...own
  } = JSON.parse(readFileSync(path.join(SOURCE, 'package.json'), 'utf8')) as Record<string, unknown>;
  return {
    ...own,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    types: './dist/index.d.ts',
    files: ['dist'],
    engines: { node: '>=20' },
    sideEffects: false,
  };
}

export async function writeClient(args: readonly string[]): Promise<void> {
  const { folder } = readOptions(
    {
      command: 'npm run package -- client',
      about: 'Packs @csg/client as a tarball for npm install.',
      options: { folder: { type: 'string', value: 'FOLDER', default: 'dist', help: 'Output folder' } },
    },
    args,
  );
  console.log(await packClient(path.resolve(folder)));
}
