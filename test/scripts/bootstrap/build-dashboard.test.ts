import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildDashboard, fingerprint, SOURCES } from '../../../scripts/bootstrap/build-dashboard.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const DASHBOARD = 'apps/cloud/dashboard';

/** A project whose dashboard is one small page. */
function makeProject(t: TestContext): { root: string; folder: string; main: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'csg-build-'));
  t.after(() => rmSync(root, { recursive: true }));
  const folder = path.join(root, DASHBOARD);
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  cpSync(path.join(ROOT, DASHBOARD, 'vite.config.ts'), path.join(folder, 'vite.config.ts'));
  const script = '<script type="module" src="/src/main.ts"></script>';
  writeFileSync(path.join(folder, 'index.html'), `<!doctype html><title>x</title>${script}`);
  const main = path.join(folder, 'src/main.ts');
  writeFileSync(main, 'document.title = "one";');
  return { root, folder, main };
}

test('it is built once, and again if its sources changed', async (t) => {
  const { root, folder, main } = makeProject(t);
  const index = path.join(folder, 'dist/index.html');
  assert.equal(await buildDashboard(root, process.execPath), undefined);
  const first = readFileSync(index, 'utf8');
  writeFileSync(index, 'left alone');
  assert.equal(await buildDashboard(root, process.execPath), undefined);
  assert.equal(readFileSync(index, 'utf8'), 'left alone', 'nothing changed: nothing is built');
  const before = fingerprint(folder);
  writeFileSync(main, 'document.title = "two";');
  assert.notEqual(fingerprint(folder), before);
  assert.equal(await buildDashboard(root, process.execPath), undefined);
  assert.notEqual(readFileSync(index, 'utf8'), first);
});

test('a failed build says why and leaves the previous one', async (t) => {
  const { root, folder, main } = makeProject(t);
  assert.equal(await buildDashboard(root, process.execPath), undefined);
  const before = readFileSync(path.join(folder, 'dist/index.html'), 'utf8');
  writeFileSync(main, 'import "./not-there.ts";');
  assert.match((await buildDashboard(root, process.execPath)) ?? '', /not-there/);
  assert.equal(readFileSync(path.join(folder, 'dist/index.html'), 'utf8'), before);
  assert.equal(existsSync(path.join(folder, `dist.${process.pid}`)), false);
});

test('every shared folder that the dashboard imports is an input', () => {
  const foldersIn = (folder: string, pattern: RegExp): string[] =>
    globSync(path.join(ROOT, folder, '**/*.{ts,tsx}')).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name!),
    );
  const imported = new Set(foldersIn(`${DASHBOARD}/src`, /from '@csg\/shared\/([\w-]+)/g));
  for (const name of imported) {
    for (const next of foldersIn(`shared/${name}`, /from '\.\.\/([\w-]+)\//g)) imported.add(next);
  }
  assert.ok(imported.size >= 3, [...imported].join(' '));
  const missing = [...imported].filter((name) => !SOURCES.includes(`../../../shared/${name}`));
  assert.deepEqual(missing, []);
});
