import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type HiddenState,
  hiddenBy,
  inheritState,
  isPreserved,
  SHOWN,
} from '../../../apps/cloud/src/scrape/hidden-state.ts';

const under = (parent: HiddenState, style: Record<string, string>, attributes = {}) =>
  inheritState(parent, attributes, new Map(Object.entries(style)));

it('hides everything in a hidden element', () => {
  const outer = under(SHOWN, { display: 'none' });
  assert.equal(hiddenBy(under(outer, { display: 'block', visibility: 'visible' })), 'display');
  assert.equal(inheritState(outer, {}, undefined), outer);
  assert.equal(hiddenBy(SHOWN), undefined);
});

it('lets a child take back visibility and color', () => {
  const invisible = under(SHOWN, { visibility: 'hidden' });
  assert.equal(hiddenBy(invisible), 'visibility');
  assert.equal(hiddenBy(under(invisible, { visibility: 'visible' })), undefined);
  const white = under(SHOWN, { color: '#fff' });
  assert.equal(hiddenBy(white), 'same colour');
  assert.equal(hiddenBy(under(white, { background: 'no-repeat #123456' })), undefined);
  assert.equal(hiddenBy(inheritState(SHOWN, { color: '#FFFFFF' }, undefined)), 'same colour');
});

it('preserves what people may well see', () => {
  const quiet = inheritState(SHOWN, { 'aria-hidden': 'true' }, undefined);
  assert.equal(isPreserved(hiddenBy(quiet)), true);
  assert.equal(isPreserved(hiddenBy(under(quiet, { display: 'none' }))), false);
  assert.equal(isPreserved(hiddenBy(inheritState(SHOWN, { hidden: '' }, undefined))), false);
});
