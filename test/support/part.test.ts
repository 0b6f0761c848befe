import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const PART = pathToFileURL(`${import.meta.dirname}/part.ts`).href;

/** What another process says, with this environment. */
function say(expression: string, env: Readonly<Record<string, string>>) {
  const script = `
    import { cases, isInPart, partOf, seedFor } from '${PART}';
    console.log(JSON.stringify(${expression}));`;
  const { LONG: _, CSG_SEED: __, ...own } = process.env;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', script],
    { env: { ...own, ...env }, encoding: 'utf8' },
  );
  return { said: stdout === '' ? undefined : JSON.parse(stdout), stderr, status };
}

const LIST = 'Array.from({ length: 40 }, (_, n) => n)';

test('the same seed chooses the same part, in order; other seeds choose others, and every item comes up', () => {
  const part = `[partOf('a', ${LIST}, 10), ${LIST}.filter((n) => isInPart('b' + n, 4)), seedFor('c')]`;
  const [one, again, other] = ['7', '7', '8'].map((seed) => say(part, { CSG_SEED: seed }).said);
  assert.deepEqual(again, one);
  assert.notDeepEqual(other, one);
  assert.equal(one[0].length, 10);
  assert.deepEqual(
    one[0].toSorted((a: number, b: number) => a - b),
    one[0],
  );
  const all = say(`Array.from({ length: 60 }, (_, s) => partOf('round ' + s, ${LIST}, 10))`, {}).said.flat();
  assert.equal(new Set(all).size, 40);
});

test('LONG=1 runs everything', () => {
  const whole = `[partOf('a', ${LIST}, 10).length, isInPart('b', 1_000_000), cases(3, 9)]`;
  assert.deepEqual(say(whole, { LONG: '1' }).said, [40, true, 9]);
});

test('a run that fails prints the seed that repeats it', () => {
  const failed = say('process.exit(1)', { CSG_SEED: '12' });
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /npm test -- --seed=12\n/);
});

test('a seed that is none is one sentence', () => {
  assert.match(say('1', { CSG_SEED: 'x' }).stderr, /A seed is an integer from 0 to 4294967295, not "x"\./);
});
