import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { GROUPS, type Group } from '../../scripts/nightly/groups.ts';
import { runStep, type Step } from '../../scripts/nightly/run-step.ts';
import { chooseGroups, listOf, runGroup, stepsOf, summaryOf } from '../../scripts/nightly.ts';
import { isGone } from '../support/desktop/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const GROUP: Group = { name: 'attack', needs: [], suites: [], commands: [] };
const running = new AbortController().signal;

const step = (title: string, script: string): Step => ({
  title,
  command: [process.execPath, '--eval', script],
  env: process.env,
});

test('every test that runs in part is listed, and every listed file exists', () => {
  const listed = new Set(GROUPS.flatMap(({ suites }) => suites.map(({ file }) => file)));
  for (const file of listed) assert.ok(existsSync(path.join(ROOT, file)), file);
  for (const [name] of GROUPS.flatMap(({ commands }) => commands.map(({ args }) => args)))
    assert.ok(existsSync(path.join(ROOT, `scripts/lab/${name}.ts`)), name);
  const inPart = globSync('test/{cloud,conformance,dashboard,desktop,e2e,scripts,shared}/**/*.test.ts', {
    cwd: ROOT,
  }).filter((file) => /\/support\/part\.ts'/.test(readFileSync(path.join(ROOT, file), 'utf8')));
  // Commands of the laboratory run these whole.
  assert.deepEqual(inPart.filter((file) => !listed.has(file)).sort(), [
    'test/conformance/random-bodies.test.ts',
    'test/e2e/crash.test.ts',
  ]);
});

test('a suite is in one group, and the steps run it whole with the seed', () => {
  const files = GROUPS.flatMap(({ suites }) => suites.map(({ file }) => file));
  assert.equal(new Set(files).size, files.length);
  const [tests, ...labs] = stepsOf(GROUPS[0]!, 7);
  assert.equal(tests?.env['LONG'], '1');
  assert.equal(tests?.env['CSG_SEED'], '7');
  assert.ok(tests?.command.includes('test/e2e/bypass.test.ts'));
  assert.ok(labs.some(({ title }) => title === 'lab fuzz --minutes 10 --seed 7'));
});

test('groups are chosen by name, and an unknown one is one sentence', () => {
  assert.deepEqual(
    chooseGroups(['bench', 'attack']).map(({ name }) => name),
    ['attack', 'bench'],
  );
  assert.equal(chooseGroups([]), GROUPS);
  assert.throws(() => chooseGroups(['atack']), /^Error: There is no group "atack"\. The groups are attack, /);
  assert.match(listOf(GROUPS), /^volume\n {2}test\//m);
});

test('a step that fails fails the group, and the others still run', async () => {
  const outcomes = await runGroup(
    GROUP,
    [
      step('one', 'process.exit(3)'),
      step('other', ''),
      { ...step('none', ''), command: ['/no/such/program'] },
    ],
    running,
  );
  assert.deepEqual(
    outcomes.map(({ title, result }) => [title, result]),
    [
      ['one', 'failed'],
      ['other', 'passed'],
      ['none', 'failed'],
    ],
  );
  const summary = summaryOf(outcomes, 7, 'abc1234');
  assert.match(summary, /✗ attack {3}one: failed, 0\.\d min\n✓ attack {3}other: passed/);
  assert.match(summary, /seed 7, revision abc1234$/);
});

test('a group that is stopped leaves no process behind', async () => {
  const stop = new AbortController();
  const pidFile = path.join(tempFolder('nightly'), 'pid');
  const endless = "'setInterval(() => {}, 1000)'";
  const script = `
    process.on('SIGINT', () => {});
    const { pid } = require('node:child_process').spawn(process.execPath, ['--eval', ${endless}]);
    require('node:fs').writeFileSync('${pidFile}', String(pid));
    setInterval(() => {}, 1000);`;
  const ended = runStep(step('stubborn', script), stop.signal, 200);
  const pid = await until(
    async () => Number(existsSync(pidFile) && readFileSync(pidFile, 'utf8')),
    (read) => read > 0,
  );
  stop.abort();
  assert.equal(await ended, 'stopped');
  await until(
    async () => isGone(pid),
    (gone) => gone,
  );
  const [next] = await runGroup(GROUP, [step('next', '')], stop.signal);
  assert.equal(next?.result, 'stopped');
});

test('a group that takes too long is stopped', async () => {
  const [outcome] = await runGroup(GROUP, [step('endless', 'setInterval(() => {}, 1000)')], running, 300);
  assert.equal(outcome?.result, 'stopped');
});

test('a group that needs a missing program says which, and fails', async (t) => {
  const { PATH } = process.env;
  t.after(() => {
    process.env['PATH'] = PATH;
  });
  process.env['PATH'] = '';
  const [outcome] = await runGroup({ ...GROUP, needs: ['git'] }, [step('one', '')], running);
  assert.equal(outcome?.result, 'cannot run: not installed: git (git)');
});
