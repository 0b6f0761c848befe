import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bundlePackages } from '../../../scripts/testing/bundle-packages.ts';
import {
  BUNDLED_PACKAGES,
  bundleOf,
  bundlesFolder,
  quickImports,
} from '../../../scripts/testing/packages.ts';
import { runCommand } from '../../support/run-command.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

describe('faster module resolution', () => {
  let preload: string;
  let folder: string;
  before(async () => {
    const bundles = await bundlePackages(ROOT);
    folder = path.join(bundlesFolder(ROOT), bundles);
    preload = quickImports(ROOT, { packages: bundles });
  });

  test('a bundle has all exports of its package', async () => {
    for (const name of BUNDLED_PACKAGES) {
      const [all, bundled] = await Promise.all([import(name), import(path.join(folder, bundleOf(name)))]);
      assert.deepEqual(Object.keys(bundled).sort(), Object.keys(all).sort(), name);
    }
  });

  test('bundles are made once for each state of the lock file', async () => {
    assert.equal(path.basename(folder), await bundlePackages(ROOT));
  });

  describe('in a process with the preload', () => {
    let scratch: string;
    before(() => {
      scratch = mkdtempSync(path.join(tmpdir(), 'csg-quick-imports-'));
    });
    after(() => rmSync(scratch, { recursive: true }));

    async function run(source: string, by = preload) {
      const file = path.join(scratch, 'program.ts');
      writeFileSync(file, source);
      const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
      return runCommand(process.execPath, [`--import=${by}`, file], { env }).ended;
    }

    test('a package comes from its bundle for every importer', async () => {
      const { stdout, stderr } = await run(`
        import { createRequire } from 'node:module';
        const require = createRequire(${JSON.stringify(path.join(ROOT, 'shared/contract/index.ts'))});
        const { Type } = require('typebox');
        const bundled = await import(${JSON.stringify(path.join(folder, bundleOf('typebox')))});
        console.log(Type === bundled.Type);`);
      assert.equal(stdout, 'true\n', stderr);
    });

    test('a file is one module, by path and by package name', async () => {
      const { stdout, stderr } = await run(`
        import { createRequire } from 'node:module';
        const require = createRequire(${JSON.stringify(path.join(ROOT, 'test/support/gateway.ts'))});
        const byName = require('@csg/shared/contract');
        const byPlace = require(${JSON.stringify('../../shared/contract/index.ts')});
        console.log(byName === byPlace && Object.keys(byPlace).length > 0);`);
      assert.equal(stdout, 'true\n', stderr);
    });

    test('a file that does not exist is an error with its name', async () => {
      const { code, stderr } = await run("import './no-such-file.ts';");
      assert.equal(code, 1);
      assert.match(stderr, /no-such-file\.ts/);
    });

    test('types are stripped', async () => {
      writeFileSync(path.join(scratch, 'typed.ts'), 'export const size: number = 3;');
      const { stdout, stderr } = await run("import { size } from './typed.ts'; console.log(size);");
      assert.equal(stdout, '3\n', stderr);
    });

    test('programs and threads run from a build; what is imported is a source', async () => {
      const build = path.join(scratch, 'build');
      mkdirSync(build);
      const own = path.relative(ROOT, path.join(scratch, 'program.ts'));
      writeFileSync(path.join(build, 'programs.json'), JSON.stringify({ [own]: 'built.mjs' }));
      writeFileSync(path.join(build, 'built.mjs'), 'console.log("built", import.meta.main);');
      const withBuild = quickImports(ROOT, { packages: path.basename(folder), programs: build });
      assert.equal((await run('console.log("source");', withBuild)).stdout, 'built true\n');
      const importer = path.join(scratch, 'importer.ts');
      writeFileSync(
        importer,
        `import { Worker } from 'node:worker_threads';
         import { once } from 'node:events';
         await import('./program.ts');
         await once(new Worker(new URL('./program.ts', import.meta.url)), 'exit');`,
      );
      const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
      const ran = runCommand(process.execPath, [`--import=${withBuild}`, importer], { env });
      assert.equal((await ran.ended).stdout, 'source\nbuilt true\n');
    });
  });
});
