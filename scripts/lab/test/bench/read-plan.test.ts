import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readPlan } from '../../bench/read-plan.ts';

describe('the arguments of the benchmark', () => {
  it('select parts, and what is left out of them', () => {
    assert.deepEqual(readPlan(['--only', 'small,large,latency', '--without', 'large,flames']), {
      profile: 'full',
      parts: ['small', 'latency'],
      without: ['large'],
      write: 'nothing',
    });
    const quick = readPlan(['--quick', '--without', 'engine']);
    assert.equal(quick.write, 'all');
    assert.deepEqual([quick.profile, quick.without], ['quick', ['engine']]);
    assert.ok(!quick.parts.includes('flames') && quick.parts.includes('small'), quick.parts.join());
    assert.equal(readPlan(['--only', 'flames']).write, 'flames');
    assert.equal(readPlan(['--no-write']).write, 'nothing');
  });

  for (const [args, due] of [
    [['--only', 'nonsense'], /^--only accepts engine, record, small, .*, flames; not 'nonsense'\.$/],
    [['--only', 'small,'], /^--only accepts .*; not ''\.$/],
    [['--without', 'a,small,b'], /^--without accepts .*; not 'a', 'b'\.$/],
    [['--only', 'small', '--without', 'small'], /^--without excludes every part\.$/],
  ] as const) {
    it(`are rejected with a message: ${args.join(' ')}`, () => {
      assert.throws(() => readPlan(args), { message: due });
    });
  }

  it('end the command with exit code 2 before anything is started', () => {
    const script = fileURLToPath(import.meta.resolve('../../bench.ts'));
    const run = spawnSync(process.execPath, [script, '--only', 'nonsense'], { encoding: 'utf8' });
    assert.equal(run.status, 2, run.stderr);
    assert.equal(run.stdout, '');
    assert.match(run.stderr, /^--only accepts [^\n]*\n$/);
  });
});
