import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { isWhole } from '../support/part.ts';

/**
 * Follows docs/recipes/add-a-provider.md on a copy of the project: the provider on that page must then pass all
 * conformance tests.
 */

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Tests started by this one report for themselves. */
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

/** A file of the page: the path before the code block, and the block's content. */
const BLOCK = /^`(shared\/providers\/[\w./-]+)`:[^\n]*\n\n```\w+\n([\s\S]*?)```$/gm;

describe('the recipe for a provider', () => {
  let copy: string;
  let files: Map<string, string>;
  before(async () => {
    copy = await mkdtemp(path.join(tmpdir(), 'csg-recipe-'));
    await copyProject(copy);
    const page = await readFile(path.join(ROOT, 'docs/recipes/add-a-provider.md'), 'utf8');
    files = new Map([...page.matchAll(BLOCK)].map(([, file = '', text = '']) => [file, text]));
    for (const [file, text] of files) {
      if (file.endsWith('registry.ts')) continue;
      await mkdir(path.dirname(path.join(copy, file)), { recursive: true });
      await writeFile(path.join(copy, file), text);
    }
    await register(copy, files.get('shared/providers/registry.ts') ?? '');
  });
  after(() => rm(copy, { recursive: true, force: true }));

  const node = (...args: string[]) =>
    run(process.execPath, args, {
      cwd: copy,
      maxBuffer: 1 << 26,
      env,
    });
  const holds = async (name: string, file: string): Promise<void> => {
    const { stdout } = await node('--test', '--test-reporter=tap', `--test-name-pattern=${name}`, file);
    const passed = Number(/^# pass (\d+)$/m.exec(stdout)?.[1]);
    assert.ok(passed > 3, `${passed} tests of ${file} are about ${name}`);
    assert.match(stdout, /^# fail 0$/m);
  };

  test('consists of four files', () => {
    assert.equal(files.size, 4, [...files.keys()].join(' '));
  });

  const checks: readonly [title: string, check: () => Promise<void>][] = [
    [
      'passes the conformance tests of providers',
      () => holds('acme-talk', 'test/conformance/provider-formats.test.ts'),
    ],
    [
      'passes the checks of types, import table and mirrored tests',
      async () => {
        const settings = JSON.parse(await readFile(path.join(copy, 'tsconfig.json'), 'utf8'));
        const own = { ...settings, include: ['shared/providers/**/*.ts'], exclude: [] };
        await writeFile(path.join(copy, 'tsconfig.recipe.json'), JSON.stringify(own));
        const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
        await node(compiler, '--noEmit', '-p', 'tsconfig.recipe.json');
        await node('scripts/check-modules.ts');
        await node('scripts/check-tests.ts');
      },
    ],
    [
      'passes the tests with random bodies',
      () => holds('random bodies', 'test/conformance/random-bodies.test.ts'),
    ],
    [
      'is relayed by the gateway, and every canary in it is found',
      () => holds('engines/model-test/talk', 'test/e2e/canary-matrix.test.ts'),
    ],
  ];
  for (const [title, check] of isWhole ? checks : checks.slice(0, 1)) test(title, check);
});

/** The sources, with the packages of this project and the workspaces of the copy. */
async function copyProject(to: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 1 << 26 });
  const wanted = /^(?:apps|shared|scripts|test|docs\/modules\.md$|package\.json$|tsconfig\.json$)/;
  for (const file of stdout.split('\0')) {
    if (wanted.test(file)) await cp(path.join(ROOT, file), path.join(to, file));
  }
  await mkdir(path.join(to, 'node_modules/@csg'), { recursive: true });
  for (const name of await readdir(path.join(ROOT, 'node_modules'))) {
    if (name !== '@csg')
      await symlink(path.join(ROOT, 'node_modules', name), path.join(to, 'node_modules', name));
  }
  await symlink('../../shared', path.join(to, 'node_modules/@csg/shared'));
  for (const folder of ['apps/cloud', 'apps/cloud/dashboard', 'apps/desktop', 'shared', 'shared/client']) {
    const packages = path.join(ROOT, folder, 'node_modules');
    await symlink(packages, path.join(to, folder, 'node_modules'));
  }
}

/** Replaces existing lines by those of the page. */
async function register(copy: string, lines: string): Promise<void> {
  const file = path.join(copy, 'shared/providers/registry.ts');
  const [added = '', ...list] = lines.trim().split('\n');
  const source = await readFile(file, 'utf8');
  const changed = source.replace(/^export const PROVIDERS: [^;]*;$/m, list.join('\n'));
  assert.notEqual(changed, source, 'the registry has no such list');
  await writeFile(file, `${added}\n${changed}`);
}
