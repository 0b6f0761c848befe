import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newStrand, strandOf } from '../../../../shared/providers/reading/stream-strands.ts';

it('a strand is made once, keeps the role it was made with, and tells numbers from names', () => {
  const root = newStrand('other');
  const first = strandOf(root, 0, 'assistant');
  first.text += 'a';
  strandOf(root, 0, 'tool_call').text += 'b';
  strandOf(root, '0', 'tool_call').text += 'c';
  assert.deepEqual([first.text, first.role, root.text, root.inner?.size], ['ab', 'assistant', '', 2]);
  assert.equal(strandOf(root, '__proto__', 'user').text, '');
});
