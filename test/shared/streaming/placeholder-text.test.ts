import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyReplacements, finish } from '@csg/shared/text';
import { PlaceholderText } from '../../../shared/streaming/placeholder-text.ts';

const MASK = '[EMAIL_7K3M9QWX]';
const restore = ({ placeholder, isInAddress }: { placeholder: string; isInAddress: boolean }) =>
  placeholder === MASK && !isInAddress ? 'anna@example.com' : null;

/** The text with values restored, split into pieces of this size; and the part decided before its end. */
function restored(text: string, size: number): { whole: string; early: string } {
  const pieces = new PlaceholderText(restore, false);
  let early = '';
  for (let at = 0; at < text.length; at += size) early += pieces.push(text.slice(at, at + size));
  const whole = early + finish(pieces.end());
  assert.equal(whole, applyReplacements(text, pieces.replacements));
  return { whole, early };
}

describe('a placeholder in a text that arrives in pieces', () => {
  for (const [spelling, due] of [
    [MASK, 'anna@example.com'],
    ['[email_7k3m9qwx]', 'anna@example.com'],
    ['EMAIL_7K3M9QWX', 'anna@example.com'],
    ['{Email_7k3m9qwx}', 'anna@example.com'],
    ['[EMAIL\\_7K3M9QWX]', 'anna@example.com'],
    [`**${MASK}**`, '**anna@example.com**'],
    ['(EMAIL_7K3M9QWX)', '(anna@example.com)'],
    ['[EMAIL_7K3M9QWX', '[anna@example.com'],
    [`${MASK}${MASK}`, 'anna@example.comanna@example.com'],
    ['[EMAIL_7K3M9QW]', '[EMAIL_7K3M9QW]'],
    ['[EMAIL_7K3M9QWXX]', '[EMAIL_7K3M9QWXX]'],
    ['[XEMAIL_7K3M9QWX]', '[XEMAIL_7K3M9QWX]'],
    ['[PHONE_7K3M9QWX]', '[PHONE_7K3M9QWX]'],
    [`${MASK}/x`, `${MASK}/x`],
  ] as const) {
    test(`${spelling} becomes ${due}, wherever it is split`, () => {
      const text = `I wrote to ${spelling} today, and then`;
      for (let size = 1; size < text.length; size++)
        assert.equal(restored(text, size).whole, `I wrote to ${due} today, and then`);
    });
  }

  test('is decided four characters after it, and the last word of a text at its end', () => {
    const { early } = restored(`To ${MASK}, and then`, 1);
    assert.equal(early, 'To anna@example.com, and ');
    assert.equal(restored(`To ${MASK}`, 1).early, 'To ');
  });

  test('is replaced across pieces, each with its part of the change', () => {
    const text = new PlaceholderText(restore, false);
    const pieces = ['To [EMA', 'IL_7K3', 'M9QWX], and', ' then'];
    for (const piece of pieces) text.push(piece);
    let start = 0;
    const written = pieces.map((piece) => {
      const changed = applyReplacements(piece, text.changesOf(start, piece.length));
      start += piece.length;
      return changed;
    });
    assert.deepEqual(written, ['To anna@example.com', '', ', and', ' then']);
  });
});
