import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { SERVICE_OPTIONS } from '../../scripts/bootstrap/service-options.mjs';
import { runCommand } from '../support/run-command.ts';

const SCRIPTS = path.resolve(import.meta.dirname, '../../scripts');
const LOCK = JSON.stringify({ packages: { '': {}, 'node_modules/node': { version: '24.0.0' } } });
/** Node 20 cannot replace itself: without this function the bootstrap spawns a process. */
const WITHOUT_EXECVE = ['--import', 'data:text/javascript,process.execve = undefined'];
const { npm_lifecycle_event: _event, NODE_COMPILE_CACHE: _cache, ...ENV } = process.env;

const SCRIPT = `
const [wish = ''] = process.argv.slice(2);
if (wish === 'json') console.log('{"a":1}');
else if (wish === 'options') console.log(process.execArgv.slice(2).join(' '));
else if (wish.startsWith('exit')) process.exit(Number(wish.slice(4)));
else if (wish === 'die') process.kill(process.pid, 'SIGKILL');
else {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => { console.log('heard ' + signal); process.exit(7); });
  setInterval(() => {}, 1000);
  console.log('ready ' + process.pid + ' ' + import.meta.main);
}
`;

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A project with the real bootstrap, a script, and this Node as that of the \`node\` package. */
function makeProject(options: { installed: boolean }): string {
  const root = mkdtempSync(path.join(tmpdir(), 'csg-bootstrap-'));
  folders.push(root);
  cpSync(path.join(SCRIPTS, 'bootstrap'), path.join(root, 'scripts/bootstrap'), { recursive: true });
  cpSync(path.join(SCRIPTS, 'bootstrap.mjs'), path.join(root, 'scripts/bootstrap.mjs'));
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(root, 'package-lock.json'), LOCK);
  writeFileSync(path.join(root, 'script.ts'), SCRIPT);
  if (options.installed) install(root);
  return root;
}

function install(root: string): void {
  mkdirSync(path.join(root, 'node_modules/node/bin'), { recursive: true });
  writeFileSync(path.join(root, 'node_modules/.package-lock.json'), LOCK);
  symlinkSync(process.execPath, path.join(root, 'node_modules/node/bin/node'));
}

/** Stands in for npm: appends its arguments to a log, prints something, installs or fails. */
function makeNpm(root: string, succeeds: boolean): NodeJS.ProcessEnv {
  const cli = path.join(root, 'npm-cli.js');
  const work = succeeds
    ? `fs.mkdirSync('node_modules/node/bin', { recursive: true });
       fs.writeFileSync('node_modules/node/package.json', '{}');
       fs.symlinkSync(process.execPath, 'node_modules/node/bin/node');
       fs.writeFileSync('node_modules/.package-lock.json', fs.readFileSync('package-lock.json'));`
    : `console.error('npm error code ECONNREFUSED'); console.error('npm error     at somewhere'); process.exit(1);`;
  writeFileSync(
    cli,
    `import fs from 'node:fs'; fs.appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n'); ${work}`,
  );
  return { ...ENV, npm_execpath: cli, npm_node_execpath: process.execPath };
}

function start(
  root: string,
  args: readonly string[],
  how: { flags?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
) {
  const { flags = [], env = ENV } = how;
  return runCommand(process.execPath, [...flags, 'scripts/bootstrap.mjs', 'script.ts', ...args], {
    cwd: root,
    env,
  });
}

for (const [way, flags] of [
  ['by replacing itself', []],
  ['as the parent of a child process', WITHOUT_EXECVE],
] as const) {
  describe(`bootstrap runs a script ${way}`, () => {
    const root = makeProject({ installed: true });

    it('leaves standard output to the script', async () => {
      const { code, stdout, stderr } = await start(root, ['json'], { flags }).ended;
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '{"a":1}\n', stderr: '' });
    });

    it('ends with the exit code or the signal of the script', async () => {
      assert.equal((await start(root, ['exit42'], { flags }).ended).code, 42);
      assert.equal((await start(root, ['die'], { flags }).ended).signal, 'SIGKILL');
    });

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      it(`passes ${signal} on and waits for the script's own end`, async () => {
        const running = start(root, [], { flags });
        await running.outputHas('ready');
        running.child.kill(signal);
        const { code, stdout } = await running.ended;
        assert.equal(code, 7);
        assert.equal(stdout.split(`heard ${signal}`).length - 1, 1, stdout);
      });
    }

    it('is the main module, as if called directly', async () => {
      const running = start(root, [], { flags });
      await running.outputHas('true');
      running.child.kill('SIGTERM');
      await running.ended;
    });
  });
}

describe('the service', () => {
  const root = makeProject({ installed: true });
  mkdirSync(path.join(root, 'apps/cloud/src'), { recursive: true });
  mkdirSync(path.join(root, 'apps/cloud/dashboard'));
  writeFileSync(path.join(root, 'apps/cloud/src/main.ts'), SCRIPT);
  const serve = (...args: string[]) =>
    runCommand(process.execPath, ['scripts/bootstrap.mjs', 'apps/cloud/src/main.ts', ...args], {
      cwd: root,
      env: ENV,
    }).ended;

  it('builds its dashboard first, and starts without it if that fails', async () => {
    const { code, stdout, stderr } = await serve('json');
    assert.deepEqual({ code, stdout }, { code: 0, stdout: '{"a":1}\n' }, stderr);
    assert.match(stderr, /^Building the dashboard[\s\S]*The service starts without its dashboard/);
  });

  it('runs with the Node options it is benchmarked with', async () => {
    assert.equal((await serve('options')).stdout, `${SERVICE_OPTIONS.join(' ')}\n`);
    const other = await start(makeProject({ installed: true }), ['options']).ended;
    assert.equal(other.stdout, '\n', 'other scripts have none');
  });

  for (const option of ['--help', '-h']) {
    it(`prints the options immediately: ${option}`, async () => {
      assert.deepEqual(await serve('json', option).then(({ stdout, stderr }) => [stdout, stderr]), [
        '{"a":1}\n',
        '',
      ]);
    });
  }
});

describe('a script that npm started', () => {
  it('ends when the process that started it is killed', async () => {
    const root = makeProject({ installed: true });
    const running = start(root, [], { flags: WITHOUT_EXECVE, env: { ...ENV, npm_lifecycle_event: 'start' } });
    await running.outputHas('ready');
    running.child.kill('SIGKILL');
    // The pipe closes, and `ended` resolves, only once the script itself has gone.
    assert.match((await running.ended).stdout, /heard SIGTERM/);
  });
});

describe('bootstrap before packages are installed', () => {
  it('installs with npm ci, reports it on standard error, then runs', async () => {
    const root = makeProject({ installed: false });
    const { code, stdout, stderr } = await start(root, ['json'], { env: makeNpm(root, true) }).ended;
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '{"a":1}\n');
    assert.match(stderr, /^Installing packages …\n✓ Installing packages {2}1 of 1 {2}\d s\n$/);
  });

  it('installs once when two start at the same time', async () => {
    const root = makeProject({ installed: false });
    const env = makeNpm(root, true);
    const both = await Promise.all([
      start(root, ['json'], { env }).ended,
      start(root, ['json'], { env }).ended,
    ]);
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
      both.map(({ stderr }) => stderr).join(),
    );
    const { stdout } = await runCommand('cat', ['npm.log'], { cwd: root }).ended;
    assert.equal(stdout.trim().split('\n').length, 1, stdout);
  });

  it("shows npm's last lines, without its stack, and what to do", async () => {
    const root = makeProject({ installed: false });
    const { code, stdout, stderr } = await start(root, ['json'], { env: makeNpm(root, false) }).ended;
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /npm ci failed\. It said:\n {2}npm error code ECONNREFUSED\n/);
    assert.match(stderr, /What to try:/);
    assert.doesNotMatch(stderr, /at somewhere/);
  });

  it('takes over the lock of a process that died', async () => {
    const root = makeProject({ installed: false });
    const dead = runCommand(process.execPath, ['-e', '']);
    await dead.ended;
    writeFileSync(path.join(root, '.install.lock'), String(dead.child.pid));
    assert.equal((await start(root, ['json'], { env: makeNpm(root, true) }).ended).code, 0);
  });
});
