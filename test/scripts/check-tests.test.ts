import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { belongsTo, mirrorViolations, testOf } from '../../scripts/check-tests.ts';

describe('tests mirror sources', () => {
  it('knows the path of the test of a source', () => {
    assert.equal(testOf('shared/text/spans.ts'), 'test/shared/text/spans.test.ts');
    assert.equal(testOf('apps/cloud/src/main.ts'), 'test/cloud/main.test.ts');
    assert.equal(testOf('scripts/bootstrap/is-installed.mjs'), 'test/scripts/bootstrap/is-installed.test.ts');
    assert.equal(testOf('scripts/lab/soak/load.ts'), 'scripts/lab/test/soak/load.test.ts');
    assert.equal(testOf('build/pack.ts'), undefined);
  });

  it('assigns a test with a further word to the same source', () => {
    assert.equal(belongsTo('test/cloud/routes/relay-faults.test.ts', 'apps/cloud/src/routes/relay.ts'), true);
    assert.equal(belongsTo('test/cloud/routes/relayed.test.ts', 'apps/cloud/src/routes/relay.ts'), false);
  });

  it('reports a test without a source or folder, except conformance and end-to-end tests', () => {
    const sources = ['shared/text/spans.ts', 'shared/detection/pii/find-pii.ts'];
    const found = (test: string) => mirrorViolations(sources, [test]).map(({ file }) => file);
    for (const test of [
      'test/e2e/chat.test.ts',
      'test/shared/text/spans.test.ts',
      'test/shared/detection/pii.test.ts',
      'test/shared/detection/pii-limits.test.ts',
    ])
      assert.deepEqual(found(test), [], test);
    for (const test of ['test/shared/text/gone.test.ts', 'test/shared/detection/pii/pii.test.ts'])
      assert.deepEqual(found(test), [test]);
  });
});
