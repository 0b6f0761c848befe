import assert from 'node:assert/strict';
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
  --help        Show this list
`,
    });
  });

  test('that are unknown, without their value, or no option, are one sentence and exit code 2', () => {
    for (const args of [['--text', 'a'], ['--texts'], ['a.jsonl'], ['--all=yes'], ['--', 'x']]) {
      const read = parseOptions(SCRIPT, args);
      assert.ok('text' in read, args.join(' '));
      assert.equal(read.exitCode, 2);
      assert.match(read.text, /^[^\n]+ --help lists the options\.\n$/);
    }
  });
});
