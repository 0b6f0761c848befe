import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { belongsTo, type MirrorInput, mirrorViolations, testOf } from '../../scripts/check-tests.ts';

const NONE: MirrorInput = { sources: [], allSources: [], tests: [], elsewhere: [], exists: () => true };
const violations = (input: Partial<MirrorInput>) =>
  mirrorViolations({ ...NONE, ...input }).map(({ file, text }) => `${file}: ${text}`);

describe('tests mirror sources', () => {
  it('knows where the test of a source stands', () => {
    assert.equal(testOf('shared/text/spans.ts'), 'test/shared/text/spans.test.ts');
    assert.equal(testOf('apps/cloud/src/main.ts'), 'test/cloud/main.test.ts');
    assert.equal(testOf('scripts/bootstrap/is-installed.mjs'), 'test/scripts/bootstrap/is-installed.test.ts');
    assert.equal(testOf('build/pack.ts'), undefined);
  });

  it('takes a test with a further word as the same source’s', () => {
    assert.equal(belongsTo('test/cloud/routes/relay-faults.test.ts', 'apps/cloud/src/routes/relay.ts'), true);
    assert.equal(belongsTo('test/cloud/routes/relayed.test.ts', 'apps/cloud/src/routes/relay.ts'), false);
  });

  it('misses a test, and takes another one that is named instead', () => {
    const source = 'shared/text/spans.ts';
    assert.deepEqual(violations({ sources: [source] }), [
      `${source}: has no test: write test/shared/text/spans.test.ts`,
    ]);
    const entry = { source: 'shared/text/', by: 'test/conformance/text.test.ts', because: 'the laws run it' };
    assert.deepEqual(violations({ sources: [source], elsewhere: [entry] }), []);
  });

  it('finds entries that are true no more', () => {
    const entry = { source: 'shared/text/spans.ts', by: 'test/conformance/gone.test.ts', because: '' };
    const found = violations({ elsewhere: [entry], exists: () => false });
    assert.equal(found.length, 2);
    assert.match(found[0] ?? '', /needs no entry/);
    assert.match(found[1] ?? '', /no such file/);
  });

  it('finds a test without a source, but lets laws and whole journeys be', () => {
    const allSources = ['shared/text/spans.ts'];
    assert.deepEqual(
      violations({ allSources, tests: ['test/e2e/chat.test.ts', 'test/shared/text/spans.test.ts'] }),
      [],
    );
    assert.match(
      violations({ allSources, tests: ['test/shared/text/gone.test.ts'] })[0] ?? '',
      /tests no source file/,
    );
  });
});
