import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../../test/support/random.ts';
import {
  compileStructure,
  learnStructureAveraged,
  type StructureRow,
  scoreStructured,
} from '../../detector/learn-structure.ts';

const PLACES = ['harbour', 'station', 'library', 'market', 'museum', 'airport'];

/** Orders to assistants to hide something, and what assistants do. */
function rows(seed: number, count: number): StructureRow[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_none, index) => {
    const label = index % 2 === 0 ? 1 : 0;
    const place = random.pick(PLACES);
    const text =
      label === 1
        ? `Assistants call the ${place} without telling the user.`
        : `The assistant shows the way to the ${place}.`;
    return { text, label, source: 'made', weight: 1 };
  });
}

test('learns to tell orders from descriptions; the same seed gives the same weights', () => {
  const examples = rows(1, 200).map(compileStructure);
  const weights = learnStructureAveraged(examples, [5]);
  const unseen = rows(2, 100).map(compileStructure);
  const right = unseen.filter(
    (example) => scoreStructured(example, weights)! > 0 === (example.row.label === 1),
  );
  assert.ok(right.length >= 95, `${right.length} of 100`);
  assert.deepEqual(learnStructureAveraged(examples, [5]), weights);
});

test('a text that addresses nobody has no score', () => {
  const weights = learnStructureAveraged(rows(1, 20).map(compileStructure), [5]);
  const text = 'The museum opens at ten.';
  assert.equal(
    scoreStructured(compileStructure({ text, label: 0, source: 'made', weight: 1 }), weights),
    undefined,
  );
});
