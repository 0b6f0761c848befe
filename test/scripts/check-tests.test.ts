import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { belongsTo, type MirrorInput, mirrorViolations, testOf } from '../../scripts/check-tests.ts';

const NONE: MirrorInput = { sources: [], allSources: [], tests: [], coverage: {} };
const violations = (input: Partial<MirrorInput>) =>
  mirrorViolations({ ...NONE, ...input }).map(({ file, text }) => `${file}: ${text}`);

describe('tests mirror sources', () => {
  it('knows the path of the test of a source', () => {
    assert.equal(testOf('shared/text/spans.ts'), 'test/shared/text/spans.test.ts');
    assert.equal(testOf('apps/cloud/src/main.ts'), 'test/cloud/main.test.ts');
    assert.equal(testOf('scripts/bootstrap/is-installed.mjs'), 'test/scripts/bootstrap/is-installed.test.ts');
    assert.equal(testOf('build/pack.ts'), undefined);
  });

  it('assigns a test with a further word to the same source', () => {
    assert.equal(belongsTo('test/cloud/routes/relay-faults.test.ts', 'apps/cloud/src/routes/relay.ts'), true);
    assert.equal(belongsTo('test/cloud/routes/relayed.test.ts', 'apps/cloud/src/routes/relay.ts'), false);
  });

  it('reports a missing test, and accepts others that run enough of the source', () => {
    const source = 'shared/text/spans.ts';
    const by = ['test/conformance/text.test.ts'];
    const found = (coverage: MirrorInput['coverage']) =>
      violations({ sources: [source], tests: by, coverage });
    assert.deepEqual(found({}), [
      `${source}: has no test: write test/shared/text/spans.test.ts, or run npm run lab -- coverage --write FILES`,
    ]);
    assert.deepEqual(found({ [source]: { percent: 69, by } }), [
      `${source}: has a coverage of 69%, below 70%: write test/shared/text/spans.test.ts`,
    ]);
    assert.deepEqual(found({ [source]: { percent: 70, by } }), []);
  });

  it('reports outdated entries, and says what renews them', () => {
    const source = 'shared/text/spans.ts';
    const own = 'test/shared/text/spans.test.ts';
    const by = ['test/conformance/text.test.ts'];
    assert.deepEqual(violations({ coverage: { [source]: { percent: 90, by } }, tests: by }), [
      `${source}: no longer needs an entry in test/golden/coverage.json: npm run lab -- coverage --write test/conformance/text.test.ts`,
    ]);
    assert.match(
      violations({
        sources: [source],
        allSources: [source],
        coverage: { [source]: { percent: 90, by } },
        tests: [...by, own],
      }).join(),
      /no longer needs an entry/,
    );
    assert.match(
      violations({ sources: [source], coverage: { [source]: { percent: 90, by } } }).join(),
      /covered by test\/conformance\/text\.test\.ts, which no longer exists: npm run lab -- coverage --write/,
    );
  });

  it('accepts a test without a source that an entry names', () => {
    const by = ['test/shared/text/all.test.ts'];
    const source = 'shared/text/spans.ts';
    assert.deepEqual(
      violations({
        sources: [source],
        allSources: [source],
        tests: by,
        coverage: { [source]: { percent: 90, by } },
      }),
      [],
    );
  });

  it('reports a test without a source, except conformance and end-to-end tests', () => {
    const allSources = ['shared/text/spans.ts'];
    assert.deepEqual(
      violations({ allSources, tests: ['test/e2e/chat.test.ts', 'test/shared/text/spans.test.ts'] }),
      [],
    );
    assert.match(
      violations({ allSources, tests: ['test/shared/text/gone.test.ts'] })[0] ?? '',
      /has no source file/,
    );
  });
});
