import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { checkGolden, replaceBlock } from '../../../scripts/golden/golden-file.ts';

const root = mkdtempSync(path.join(tmpdir(), 'csg-golden-'));
const file = path.join(root, 'a.md');
after(() => rmSync(root, { recursive: true }));

describe('checkGolden', () => {
  beforeEach(() => rmSync(file, { force: true }));
  const whole = { file: 'a.md', make: () => 'one\ntwo' };
  const block = { file: 'a.md', block: 'b', make: () => 'made' };

  it('writes a whole file, then finds it the same', async () => {
    assert.equal((await checkGolden(root, whole, false)).state, 'missing');
    assert.equal((await checkGolden(root, whole, true)).state, 'same');
    assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\n');
    assert.equal((await checkGolden(root, whole, false)).state, 'same');
  });

  it('reports the first line that differs and leaves the file alone', async () => {
    writeFileSync(file, 'one\n2\n');
    const { state, difference } = await checkGolden(root, whole, false);
    assert.equal(state, 'differs');
    assert.match(difference ?? '', /line 2\n {2}generated: {2}two\n {2}file: {7}2/);
    assert.equal(readFileSync(file, 'utf8'), 'one\n2\n');
  });

  it('replaces a block and nothing around it', async () => {
    writeFileSync(file, 'before\n<!-- made: b -->\nold\n<!-- end: b -->\nafter\n');
    assert.equal((await checkGolden(root, block, false)).state, 'differs');
    await checkGolden(root, block, true);
    assert.equal(readFileSync(file, 'utf8'), 'before\n<!-- made: b -->\n\nmade\n\n<!-- end: b -->\nafter\n');
    assert.equal((await checkGolden(root, block, false)).state, 'same');
  });

  it('reports a missing block', async () => {
    writeFileSync(file, 'no block');
    assert.equal((await checkGolden(root, block, true)).state, 'missing');
    assert.equal(replaceBlock('<!-- made: b --> without an end', 'b', ''), undefined);
  });
});
