import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { runCommand } from '../support/run-command.ts';

const HEAD = "import test from 'node:test'; import assert from 'node:assert/strict';";
const REPORTER = path.resolve(import.meta.dirname, '../../scripts/test-reporter.ts');

/** Runs one test file in a process of its own, as `npm test` does, and returns the report and whether it failed. */
async function report(source: string): Promise<{ text: string; failed: boolean }> {
  const root = mkdtempSync(path.join(tmpdir(), 'csg-reporter-'));
  const file = path.join(root, 'sample.test.ts');
  writeFileSync(file, `${HEAD}\n${source}`);
  const program = `
    import { run } from 'node:test';
    import { createReport } from ${JSON.stringify(REPORTER)};
    const files = [${JSON.stringify(file)}];
    const { report, hasFailed } = createReport(${JSON.stringify(root)}, files);
    for await (const text of report(run({ files, timeout: 10_000 }))) process.stdout.write(text);
    console.log('failed: ' + hasFailed());`;
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const runner = path.join(root, 'runner.ts');
  writeFileSync(runner, program);
  try {
    const { stdout } = await runCommand(process.execPath, [runner], { env }).ended;
    const text = stripVTControlCharacters(stdout);
    return { text, failed: text.includes('failed: true') };
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('a passing file is one line, then the summary', async () => {
  const { text, failed } = await report("test('a', () => {}); test('b', () => {});");
  assert.equal(failed, false, text);
  assert.match(
    text,
    /^✓ sample\.test\.ts {2}2 tests {2}\d\.\d s\n\n# tests 2\n# suites 0\n# pass 2\n# fail 0\n/,
  );
});

test('a failure shows its name, place and difference', async () => {
  const { text, failed } = await report("test('sums', () => assert.equal(1 + 1, 3));");
  assert.equal(failed, true);
  assert.match(text, /✗ sums\n {2}sample\.test\.ts:2\n {2}AssertionError/);
  assert.match(text, /2 !== 3/);
  assert.match(text, /# fail 1\n/);
  assert.doesNotMatch(text, /node:internal/);
});

test('a skip says why', async () => {
  const { text, failed } = await report("test('a', { skip: 'no Redis here' }, () => {});");
  assert.equal(failed, false);
  assert.match(text, /- skipped: a \(sample\.test\.ts\): no Redis here/);
  assert.match(text, /# skipped 1\n/);
});

for (const [name, source] of [
  ['exits in the middle, with code 0', "test('a', () => {}); test('b', () => process.exit(0));"],
  ['cannot be parsed', 'const x: = 1;'],
  ['throws while it loads', "throw new Error('at load');"],
  [
    'fails after its tests ended',
    "test('a', () => { setTimeout(() => { throw new Error('late'); }, 20); });",
  ],
] as const) {
  test(`a file that ${name} fails`, async () => {
    const { text, failed } = await report(source);
    assert.equal(failed, true, text);
    assert.doesNotMatch(text, /# fail 0\n/);
  });
}
