import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { parseOptions } from '../../scripts/options.ts';

const SCRIPT = {
  command: 'npm run eval --',
  about: 'Measures the engine.',
  options: {
    texts: { type: 'string', value: 'FILE', help: 'Texts to evaluate' },
    seed: { type: 'string', value: 'N', help: 'Seed', default: '1' },
    all: { type: 'boolean', help: 'Everything', default: false },
  },
} as const;

describe('options of a script', () => {
  test('are read, with their defaults', () => {
    assert.deepEqual(parseOptions(SCRIPT, ['--texts', 'a.jsonl']), {
      values: Object.assign(Object.create(null), { texts: 'a.jsonl', seed: '1', all: false }),
      operands: [],
    });
  });

  test('are listed by --help, with exit code 0', () => {
    assert.deepEqual(parseOptions(SCRIPT, ['--help']), {
      exitCode: 0,
      text: `Usage: npm run eval -- [options]

Measures the engine.

Options:
  --texts FILE  Texts to evaluate
  --seed N      Seed (default: 1)
  --all         Everything
  --help        Show this help
`,
    });
  });

  test('that are unknown or lack their value are rejected in one sentence with exit code 2', () => {
    for (const args of [['--text', 'a'], ['--texts'], ['a.jsonl'], ['--all=yes'], ['--', 'x']]) {
      const read = parseOptions(SCRIPT, args);
      assert.ok('text' in read, args.join(' '));
      assert.equal(read.exitCode, 2);
      assert.match(read.text, /^[^\n]+ See --help\.\n$/);
    }
  });
});

test('every script of the package rejects an unknown option in one sentence, with exit code 2', async () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const files = Object.values(scripts).flatMap((line) => /scripts\/[\w-]+\.ts/.exec(line) ?? []);
  // Their arguments are Electron's own.
  const own = files.filter((file) => !['scripts/desktop.ts', 'scripts/package.ts'].includes(file));
  assert.ok(own.length >= 4, own.join(' '));
  await Promise.all(
    own.map(async (file) => {
      const child = spawn(process.execPath, [path.join(ROOT, file), '--bogus']);
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const code = child.exitCode ?? (await once(child, 'exit'))[0];
      const sentence = "Unknown option '--bogus'. See --help.\n";
      assert.deepEqual([code, stdout, stderr], [2, '', sentence], file);
    }),
  );
});

const ROOT = path.resolve(import.meta.dirname, '../..');
