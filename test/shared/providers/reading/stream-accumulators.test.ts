import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accumulatorOf, newAccumulator } from '../../../../shared/providers/reading/stream-accumulators.ts';

it('an accumulator is created once, keeps its first role, and distinguishes numbers from names', () => {
  const root = newAccumulator('other');
  const first = accumulatorOf(root, 0, 'assistant');
  first.text += 'a';
  accumulatorOf(root, 0, 'tool_call').text += 'b';
  accumulatorOf(root, '0', 'tool_call').text += 'c';
  assert.deepEqual([first.text, first.role, root.text, root.inner?.size], ['ab', 'assistant', '', 2]);
  assert.equal(accumulatorOf(root, '__proto__', 'user').text, '');
});
