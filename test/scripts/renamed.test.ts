import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const STUB = 'node scripts/renamed.mjs ';
const names = Object.keys(scripts).filter((name) => !scripts[name]!.startsWith(STUB));
const stubs = Object.keys(scripts).filter((name) => scripts[name]!.startsWith(STUB));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

test('the package has at most 14 npm scripts beside those that were renamed', () => {
  assert.ok(names.length <= 14, names.join(' '));
});

test('a renamed npm script prints the command that replaces it, which exists, and fails', () => {
  const usages = new Map<string, string>();
  const usageOf = (name: string): string => {
    const [, file = ''] = /^exec node scripts\/bootstrap\.mjs (\S+)$/.exec(scripts[name] ?? '') ?? [];
    const usage = usages.get(name) ?? run(file, '--help').stdout;
    usages.set(name, usage);
    return usage;
  };
  for (const stub of stubs) {
    assert.equal(scripts[stub], STUB + stub);
    const { status, stdout, stderr } = run('scripts/renamed.mjs', stub, '--rest', 'x');
    assert.deepEqual([status, stdout], [1, ''], stub);
    const form = /^npm run (\S+) is now: npm run (\S+) -- (\S+) --rest x\n$/.exec(stderr);
    assert.ok(form, `${stub}: ${stderr}`);
    const [, old, name = '', argument = ''] = form;
    assert.equal(old, stub);
    assert.ok(names.includes(name), `${stub}: there is no npm run ${name}`);
    assert.match(
      usageOf(name),
      new RegExp(`^  ${argument}\\s`, 'm'),
      `${stub}: npm run ${name} -- ${argument}`,
    );
  }
});
