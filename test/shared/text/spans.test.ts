import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { applyReplacements, withoutOverlaps } from '../../../shared/text/index.ts';

const span = fc
  .tuple(fc.nat({ max: 30 }), fc.nat({ max: 12 }))
  .map(([start, length]) => ({ start, end: start + length }));

it('withoutOverlaps returns disjoint ordered spans that cover every covered index', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const kept = withoutOverlaps(spans);
      const covered = (list: readonly { start: number; end: number }[], at: number) =>
        list.some((s) => s.start <= at && at < s.end);
      for (let at = 0; at < 45; at++) assert.equal(covered(kept, at), covered(spans, at), `index ${at}`);
      for (const [i, one] of kept.entries()) assert.ok(i === 0 || (kept[i - 1]?.end ?? 0) <= one.start);
    }),
    { seed: 3 },
  );
});

it('applyReplacements leaves no part of overlapping findings', () => {
  const text = 'mail ana@example.com now';
  assert.equal(
    applyReplacements(text, [
      { start: 9, end: 20, text: '[HOST]' },
      { start: 5, end: 12, text: '[EMAIL]' },
    ]),
    'mail [EMAIL] now',
  );
  assert.equal(applyReplacements(text, []), text);
});
