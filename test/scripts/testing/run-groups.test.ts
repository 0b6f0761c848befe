import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { runCommand } from '../../support/run-command.ts';

const SCRIPTS = path.resolve(import.meta.dirname, '../../../scripts/testing');
const PASSES = "test('passes', () => {});";
const FAILS = "test('always fails', () => assert.fail('broken'));";
/** Fails in its first run only. */
const FLAKY = `test('fails once', () => {
  const file = import.meta.filename + '.ran';
  const isFirst = !existsSync(file);
  writeFileSync(file, '');
  assert.ok(!isFirst, 'too busy');
});`;

/** Runs each source as a group of its own, with the report of `npm test`; resolves to the output of the run. */
async function runSources(t: TestContext, maxRepeated: number, sources: readonly string[]): Promise<string> {
  const root = mkdtempSync(path.join(tmpdir(), 'csg-groups-'));
  t.after(() => rmSync(root, { recursive: true }));
  const groups = sources.map((source, index) => {
    const file = path.join(root, `sample-${index}.test.ts`);
    const imports = "import { existsSync, writeFileSync } from 'node:fs'; import { test } from 'node:test';";
    writeFileSync(file, `${imports} import assert from 'node:assert/strict';\n${source}`);
    return [file];
  });
  const program = `
    import { createReport } from ${JSON.stringify(path.join(SCRIPTS, 'report.ts'))};
    import { runGroups } from ${JSON.stringify(path.join(SCRIPTS, 'run-groups.ts'))};
    import { runTestFiles } from ${JSON.stringify(path.join(SCRIPTS, 'run-test-files.ts'))};
    const report = createReport(${JSON.stringify(root)}, (text) => process.stdout.write(text));
    const files = { cwd: ${JSON.stringify(root)}, testLimitMs: 10_000, processLimitMs: 60_000 };
    const options = { runners: 2, maxRepeated: ${maxRepeated}, signal: new AbortController().signal };
    await runGroups(${JSON.stringify(groups)}, options, report, async (group) => {
      const end = await runTestFiles(group, files, (event) => report.onEvent(group, event));
      report.onFilesEnd(group, end);
    });
    console.log('passed: ' + report.end());`;
  const runner = path.join(root, 'runner.ts');
  writeFileSync(runner, program);
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { stdout } = await runCommand(process.execPath, [runner], { env }).ended;
  return stripVTControlCharacters(stdout);
}

test('what fails beside others and passes when it is repeated is flaky, with its failure', async (t) => {
  const text = await runSources(t, 1, [PASSES, FLAKY]);
  assert.match(text, /Repeating failed test files, alone: sample-1\.test\.ts\n/);
  assert.match(text, /Flaky \(failed while other files ran, passed when repeated alone\):\n\n✗ fails once\n/);
  assert.match(text, /# tests 2\n.*\n# pass 2\n# fail 0\n(?:#.*\n)*# flaky 1\n/);
  assert.match(text, /passed: true/);
});

test('what fails twice fails the run, and counts once', async (t) => {
  const text = await runSources(t, 2, [FLAKY, FAILS]);
  assert.match(text, /# tests 2\n.*\n# pass 1\n# fail 1\n(?:#.*\n)*# flaky 1\n/);
  assert.match(text, /passed: false/);
});

test('nothing is repeated if more failed', async (t) => {
  const text = await runSources(t, 1, [FLAKY, FAILS]);
  assert.doesNotMatch(text, /Repeats|flaky/);
  assert.match(text, /# pass 0\n# fail 2\n/);
  assert.match(text, /passed: false/);
});
