import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type BuiltApp, buildApp } from '../../../scripts/desktop/build-app.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'csg-built-'));
let built: BuiltApp;
before(async () => {
  built = await buildApp(dir);
});

after(() => rmSync(dir, { recursive: true, force: true }));

/** An `electron` that is already running, as a module next to the app. */
const ELECTRON = `
export const app = {
  isPackaged: false,
  requestSingleInstanceLock: () => false,
  quit: () => console.log('left to the other one'),
  exit: (code) => process.exit(code),
};
export const dialog = { showErrorBox: (title, text) => console.error(text) };
`;

test('the built main is one file that starts', () => {
  const folder = path.join(dir, 'node_modules/electron');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","exports":"./index.js"}');
  writeFileSync(path.join(folder, 'index.js'), ELECTRON);
  const { main } = JSON.parse(readFileSync(path.join(built.appDir, 'package.json'), 'utf8')) as {
    main: string;
  };
  const start = (env: NodeJS.ProcessEnv) =>
    spawnSync(
      process.execPath,
      ['--import', 'data:text/javascript,process.resourcesPath="/resources"', path.join(built.appDir, main)],
      { encoding: 'utf8', env: { HOME: dir, ...env } },
    );
  const second = start({});
  assert.equal(second.stdout, 'left to the other one\n', second.stderr);
  const wrong = start({ AGENT_PROXY_PORT: 'x' });
  assert.deepEqual(
    [wrong.status, wrong.stderr],
    [1, 'AGENT_PROXY_PORT must be a port from 0 (any) to 65535, not "x".\n'],
  );
});

test('the built preload requires only electron', () => {
  const text = readFileSync(path.join(built.appDir, 'preload.cjs'), 'utf8');
  const asked = [...text.matchAll(/require\("([^"]+)"\)|from "([^"]+)"/g)].map(
    ([, one, other]) => one ?? other,
  );
  assert.deepEqual(asked, ['electron']);
});

test('the window is small, and its page contains no inline script, style or URL', () => {
  const page = readFileSync(path.join(built.appDir, 'window/index.html'), 'utf8');
  assert.doesNotMatch(page, /<style|<script[^>]*>[^<]|https?:|\son\w+=/);
  const [script = ''] = [...page.matchAll(/src="([^"]+\.js)"/g)].map(([, file]) => file);
  const bytes = readFileSync(path.join(built.appDir, 'window', script)).length;
  assert.ok(bytes < 450_000, `${bytes} bytes of script`);
});
