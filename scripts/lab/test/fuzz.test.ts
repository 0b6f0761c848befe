import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { FUZZ } from '../fuzz/properties.ts';
import { tryCases } from '../fuzz.ts';

const CASES = 2_000;
const SEED = 20_261_121;

describe('the fuzzer', () => {
  for (const one of FUZZ) {
    it(`finds no error in ${one.name}`, async () => {
      const fault = await tryCases(one, Math.ceil(CASES * one.share), SEED);
      assert.equal(fault, null, fault ?? '');
    });
  }

  it('divides all cases', () => {
    assert.equal(
      FUZZ.reduce((sum, { share }) => sum + Math.round(share * 100), 0),
      100,
    );
  });

  it('reports the smallest case that fails, and how to reproduce it', async () => {
    const broken = fc.property(fc.nat(), (n) => n < 10);
    const fault = await tryCases({ name: 'small numbers', share: 1, property: broken as never }, 100, 7);
    assert.match(fault ?? '', /^small numbers, seed 7, path [\d:]+\n[\s\S]*\[10\]$/);
  });

  it('runs the given number of cases, and rejects an invalid number', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [fileURLToPath(import.meta.resolve('../fuzz.ts')), ...args], {
        encoding: 'utf8',
      });
    const few = run('--cases', '20', '--seed', '3');
    assert.equal(few.stdout, 'seed 3\n20 cases, no failures\n', few.stderr);
    const wrong = run('--minutes', 'soon');
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /--minutes, --cases and --seed must be numbers/);
  });
});
