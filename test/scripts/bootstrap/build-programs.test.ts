import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { findBuild, programsFolder } from '../../../scripts/bootstrap/find-build.mjs';
import { runCommand } from '../../support/run-command.ts';
import { mountSmallDisk, NO_SMALL_DISK } from '../../support/small-disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PROGRAM = 'apps/cloud/src/cli.ts';
const BUILDING = /^Building the programs …\n/;
const FALLBACK = /The programs could not be built: they run from their sources/;

/** Prints where it and its thread run from, and what it reads: a module, and a file beside its source. */
const SOURCE = `
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { word } from './word.ts';
const beside: string = readFileSync(new URL('./beside.txt', import.meta.url), 'utf8');
const worker = new Worker(new URL('./word-thread.ts', import.meta.url));
const here = /cli\\.ts/.test(new Error().stack!) ? 'source' : 'build';
worker.once('message', (thread: string) => {
  console.log([here, thread, word, beside, import.meta.dirname].join(' '));
  if (process.argv[2] === 'stay') setInterval(() => {}, 1_000);
});
`;
const THREAD = `
import { parentPort } from 'node:worker_threads';
import { word } from './word.ts';
parentPort!.postMessage((/word-thread\\.ts/.test(new Error().stack!) ? 'source' : 'build') + '-' + word);
`;
const { NODE_COMPILE_CACHE: _cache, NODE_OPTIONS: _options, ...ENV } = process.env;

/** A project with the real bootstrap and builder, and small programs. */
function makeProject(root = tempFolder('programs')): string {
  for (const name of ['scripts/bootstrap', 'scripts/programs', 'scripts/bootstrap.mjs'])
    cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true });
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  for (const folder of ['', 'shared', 'apps/cloud', 'apps/desktop'])
    write(path.join(folder, 'package.json'), '{"type":"module"}');
  write('package-lock.json', '{"packages":{}}');
  write('node_modules/.package-lock.json', '{"packages":{}}');
  symlinkSync(path.join(ROOT, 'node_modules/rolldown'), path.join(root, 'node_modules/rolldown'));
  for (const program of ['cloud/src/main', 'desktop/src/agent/cli'])
    write(`apps/${program}.ts`, 'export {};');
  write(PROGRAM, SOURCE);
  write('apps/cloud/src/word.ts', "export const word: string = 'one';");
  write('apps/cloud/src/word-thread.ts', THREAD);
  write('apps/cloud/src/beside.txt', 'file');
  return root;
}

const run = (root: string, ...args: string[]) =>
  runCommand(process.execPath, ['scripts/bootstrap.mjs', PROGRAM, ...args], { cwd: root, env: ENV });
const printed = (root: string, from: 'build' | 'source', word = 'one') =>
  `${from} ${from}-${word} ${word} file ${path.join(root, 'apps/cloud/src')}\n`;
const builds = (root: string) =>
  readdirSync(programsFolder(root)).filter((name) => name.startsWith('build-'));
const changeWord = (root: string, word: string) =>
  writeFileSync(path.join(root, 'apps/cloud/src/word.ts'), `export const word: string = '${word}';`);

describe('the build of the programs', () => {
  test('is made by the first start and used by the next, with threads and files beside sources', async () => {
    const root = makeProject();
    const first = await run(root).ended;
    assert.equal(first.stdout, printed(root, 'build'), first.stderr);
    assert.match(first.stderr, BUILDING);
    const second = await run(root).ended;
    assert.deepEqual([second.stdout, second.stderr], [printed(root, 'build'), '']);
  });

  test('is made again if a source changed, or the lock file; not if only times did', async () => {
    const root = makeProject();
    await run(root).ended;
    const before = findBuild(root)?.folder;
    for (const file of ['apps/cloud/src/word.ts', 'package-lock.json'])
      utimesSync(path.join(root, file), new Date(1e12), new Date(1e12));
    assert.notEqual(before, undefined);
    assert.equal(findBuild(root)?.folder, before);
    changeWord(root, 'two');
    const changed = await run(root).ended;
    assert.equal(changed.stdout, printed(root, 'build', 'two'), changed.stderr);
    assert.match(changed.stderr, BUILDING);
    assert.deepEqual(builds(root), [path.basename(findBuild(root)!.folder)], 'the earlier one was removed');
    writeFileSync(path.join(root, 'package-lock.json'), '{ "packages": {} }');
    assert.match((await run(root).ended).stderr, BUILDING);
  });

  test('a change that keeps the size and the time of a file is noticed', async () => {
    const root = makeProject();
    const file = path.join(root, 'apps/cloud/src/word.ts');
    const long = new Date(1e12);
    utimesSync(file, long, long);
    await run(root).ended;
    changeWord(root, 'two');
    utimesSync(file, long, long);
    assert.equal((await run(root).ended).stdout, printed(root, 'build', 'two'));
  });

  test('is kept while a process uses it', async () => {
    const root = makeProject();
    const running = run(root, 'stay');
    await running.outputHas('file');
    const used = path.basename(findBuild(root)!.folder);
    changeWord(root, 'two');
    await run(root).ended;
    assert.ok(builds(root).includes(used));
    running.child.kill('SIGKILL');
    await running.ended;
    changeWord(root, 'three');
    await run(root).ended;
    assert.equal(builds(root).length, 1);
  });

  test('is made once by two starts at the same time', async () => {
    const root = makeProject();
    const both = await Promise.all([run(root).ended, run(root).ended]);
    for (const { stdout, stderr } of both) assert.equal(stdout, printed(root, 'build'), stderr);
    assert.equal(builds(root).length, 1);
    assert.equal(existsSync(path.join(programsFolder(root), 'lock')), false);
  });

  test('is made again if a file of it is damaged', async () => {
    const root = makeProject();
    await run(root).ended;
    const { folder } = findBuild(root)!;
    truncateSync(path.join(folder, 'apps.cloud.src.cli.mjs'), 10);
    assert.equal((await run(root).ended).stdout, printed(root, 'build'));
    for (const text of ['', '{', '{"folder":1}', 'null']) {
      writeFileSync(path.join(programsFolder(root), 'current.json'), text);
      const { stdout, stderr } = await run(root).ended;
      assert.equal(stdout, printed(root, 'build'), stderr);
    }
  });

  test('a source that cannot be parsed is named, and programs run from their sources', async () => {
    const root = makeProject();
    writeFileSync(path.join(root, 'apps/desktop/src/agent/cli.ts'), 'const = 1;');
    const { stdout, stderr } = await run(root).ended;
    assert.equal(stdout, printed(root, 'source'), stderr);
    assert.match(stderr, /apps\/desktop\/src\/agent\/cli\.ts/);
    assert.match(stderr, FALLBACK);
    assert.deepEqual(readdirSync(programsFolder(root)), []);
  });

  test('programs run from their sources if the build cannot be stored', async () => {
    const root = makeProject();
    writeFileSync(path.join(root, 'node_modules/.cache'), 'a file');
    const { stdout, stderr } = await run(root).ended;
    assert.equal(stdout, printed(root, 'source'), stderr);
    assert.match(stderr, FALLBACK);
  });

  test('a full disk leaves nothing behind', async (t) => {
    const disk = mountSmallDisk(1);
    if (disk === null) return t.skip(NO_SMALL_DISK);
    t.after(() => disk.remove());
    const root = makeProject(disk.folder);
    for (const leftBytes of [0, 20_000]) {
      disk.fill(leftBytes);
      const { stdout, stderr } = await run(root).ended;
      assert.equal(stdout, printed(root, 'source'), stderr);
      assert.match(stderr, FALLBACK);
      disk.free();
      assert.deepEqual(existsSync(programsFolder(root)) ? readdirSync(programsFolder(root)) : [], []);
    }
    assert.equal((await run(root).ended).stdout, printed(root, 'build'));
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} while it is made ends the start and leaves nothing behind`, async () => {
      const root = makeProject();
      const builder = path.join(root, 'scripts/programs/build-programs.ts');
      const unfinished = readFileSync(builder, 'utf8').replace(
        'await bundles.close();',
        'await new Promise(() => setInterval(() => {}, 1_000));',
      );
      assert.match(unfinished, /setInterval/);
      writeFileSync(builder, unfinished);
      mkdirSync(programsFolder(root), { recursive: true });
      const watcher = watch(programsFolder(root));
      const running = run(root);
      while (builds(root).length === 0) await once(watcher, 'change');
      watcher.close();
      running.child.kill(signal);
      const { code, stdout, stderr } = await running.ended;
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /Stopped before everything was built; the next start does it again\.\n$/);
      assert.deepEqual(readdirSync(programsFolder(root)), []);
    });
  }
});
