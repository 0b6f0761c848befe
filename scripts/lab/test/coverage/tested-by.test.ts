import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseTests, mergeCoverage, type TestRun } from '../../coverage/tested-by.ts';

const SOURCE = 'shared/a.ts';
/** Statements as a text: `110` is two of three. */
const runOf = (test: string, ran: Readonly<Record<string, string>>): TestRun => ({
  test,
  ran: new Map(Object.entries(ran).map(([file, marks]) => [file, Uint8Array.from(marks, Number)])),
});
const choose = (runs: readonly TestRun[]) => chooseTests(SOURCE, runs);

describe('the tests that cover a source', () => {
  it('are the one that runs most of it', () => {
    const runs = [runOf('few', { [SOURCE]: '1000000000' }), runOf('most', { [SOURCE]: '1111111110' })];
    assert.deepEqual(choose(runs), { percent: 90, by: ['most'] });
  });

  it('are none if no test runs it', () => {
    assert.equal(choose([runOf('other', { 'shared/b.ts': '1' })]), undefined);
  });

  it('are as few as needed if one runs too little', () => {
    const runs = [
      runOf('start', { [SOURCE]: '1111100000' }),
      runOf('same', { [SOURCE]: '1110000000' }),
      runOf('end', { [SOURCE]: '0000001110' }),
      runOf('last', { [SOURCE]: '0000000001' }),
    ];
    assert.deepEqual(choose(runs), { percent: 80, by: ['start', 'end'] });
  });

  it('are the one that runs the fewest files, of nearly equal ones', () => {
    const wide = runOf('wide', { [SOURCE]: '1'.repeat(20), 'shared/b.ts': '1' });
    assert.deepEqual(choose([wide, runOf('own', { [SOURCE]: `${'1'.repeat(19)}0` })])?.by, ['own']);
    assert.deepEqual(choose([wide, runOf('own', { [SOURCE]: `${'1'.repeat(18)}00` })])?.by, ['wide']);
  });
});

describe('a run of some tests', () => {
  const known = {
    [SOURCE]: { percent: 90, by: ['before'] },
    'shared/gone.ts': { percent: 90, by: ['before'] },
  };
  const merge = (...runs: TestRun[]) => mergeCoverage(known, ['shared/b.ts', SOURCE], runs);

  it('keeps entries of other sources, drops removed sources, adds new ones', () => {
    assert.deepEqual(merge(runOf('new', { 'shared/b.ts': '1' })), {
      [SOURCE]: known[SOURCE],
      'shared/b.ts': { percent: 100, by: ['new'] },
    });
  });

  it('replaces a test only by one that runs more', () => {
    assert.deepEqual(merge(runOf('less', { [SOURCE]: '10' })), { [SOURCE]: known[SOURCE] });
    assert.deepEqual(merge(runOf('more', { [SOURCE]: '11' })), { [SOURCE]: { percent: 100, by: ['more'] } });
  });

  it('lowers the share of a test that was measured again', () => {
    assert.deepEqual(merge(runOf('before', { [SOURCE]: '10' })), {
      [SOURCE]: { percent: 50, by: ['before'] },
    });
    assert.deepEqual(merge(runOf('before', {})), {});
  });
});
