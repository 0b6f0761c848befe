import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { runCommand } from '../../support/run-command.ts';
import { HANG_LIMIT_MS } from '../../support/until.ts';

const HEAD = "import test, { describe } from 'node:test'; import assert from 'node:assert/strict';";
const SCRIPTS = path.resolve(import.meta.dirname, '../../../scripts/testing');

/** Runs test files in one process, as `npm test` does, and returns the report and whether it failed. */
async function report(
  source: string,
  limits: { readonly processLimitMs?: number; readonly lingerMs?: number } = {},
  others: readonly string[] = [],
): Promise<{ text: string; failed: boolean }> {
  const root = mkdtempSync(path.join(tmpdir(), 'csg-reporter-'));
  const files = [source, ...others].map((text, index) => {
    const file = path.join(root, index === 0 ? 'sample.test.ts' : `other-${index}.test.ts`);
    writeFileSync(file, `${HEAD}\n${text}`);
    return file;
  });
  const program = `
    import { createReport } from ${JSON.stringify(path.join(SCRIPTS, 'report.ts'))};
    import { runTestFiles } from ${JSON.stringify(path.join(SCRIPTS, 'run-test-files.ts'))};
    const files = ${JSON.stringify(files)};
    const report = createReport(${JSON.stringify(root)}, (text) => process.stdout.write(text));
    const options = { cwd: ${JSON.stringify(root)}, testLimitMs: 10_000, ...${JSON.stringify({ processLimitMs: HANG_LIMIT_MS, ...limits })} };
    const end = await runTestFiles(files, options, (event) => report.onEvent(files, event));
    report.onFilesEnd(files, end);
    console.log('failed: ' + !report.end());`;
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

test('a failure is shown when it happens, and again at the end', async () => {
  const { text } = await report("test('sums', () => assert.equal(1 + 1, 3)); test('later', () => {});");
  const [first = -1, second = -1] = [...text.matchAll(/✗ sums/g)].map(({ index }) => index);
  const line = text.indexOf('✗ sample.test.ts  2 tests');
  assert.ok(0 <= first && first < line && line < second, text);
});

test('a skipped suite counts as skipped', async () => {
  const { text, failed } = await report(
    "describe('all', { skip: 'no Java here' }, () => { test('a', () => {}); });",
  );
  assert.equal(failed, false, text);
  assert.match(text, /- skipped: all \(sample\.test\.ts\): no Java here/);
  assert.match(text, /sample\.test\.ts {2}0 tests, 1 skipped/);
  assert.match(text, /# skipped 1\n/);
});

test('a failed test that leaves something open ends, and the report names it', async () => {
  const { text, failed } = await report(
    "test('a', () => { setInterval(() => {}, 1000); assert.fail('broken'); });",
    { lingerMs: 500 },
  );
  assert.equal(failed, true);
  assert.match(text, /✗ a\n/);
  assert.match(text, /still open: .*Timeout/);
  assert.match(text, /# fail 1\n/);
});

test('a file that never yields is ended after its limit, and named', async () => {
  const { text, failed } = await report("test('a', () => { for (;;); });", { processLimitMs: 3_000 });
  assert.equal(failed, true);
  assert.match(text, /✗ sample\.test\.ts timed out/);
});

test('a skip includes its reason', async () => {
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

test('files that share a process are one line, and a failure names its own file', async () => {
  const passing = "test('a', () => {}); test('b', () => {});";
  const { text, failed } = await report(passing, {}, [
    passing,
    "test('sums', () => assert.equal(1 + 1, 3));",
  ]);
  assert.equal(failed, true);
  assert.match(text, /✗ sums\n {2}other-2\.test\.ts:2\n/);
  assert.match(text, /^✗ sample\.test\.ts and 2 more {2}5 tests/m);
  assert.match(text, /# pass 4\n# fail 1\n/);
});

test('a file that cannot be loaded is a failure, and the others of its process run', async () => {
  const passing = "test('a', () => {});";
  const { text, failed } = await report(passing, {}, ["throw new Error('broken');", passing]);
  assert.equal(failed, true);
  assert.match(text, /✗ other-1\.test\.ts\n[^✗]*broken/);
  assert.match(text, /^✗ sample\.test\.ts and 2 more {2}2 tests/m);
});

test('hooks of a file apply to its own tests, and end before the next file', async () => {
  const hooked = (name: string) => `
    import { after, before, beforeEach } from 'node:test';
    await new Promise(setImmediate);
    const order = (globalThis.order ??= []);
    before(() => order.push('${name} before'));
    beforeEach(() => order.push('${name} each'));
    after(() => order.push('${name} after'));
    test('${name}', () => order.push('${name}'));`;
  const { text, failed } = await report(hooked('a'), {}, [
    hooked('b'),
    `test('order', () => assert.deepEqual(globalThis.order, ['a', 'b'].flatMap((name) =>
      [name + ' before', name + ' each', name, name + ' after'])));`,
  ]);
  assert.equal(failed, false, text);
  assert.match(text, /# tests 3\n/);
});
