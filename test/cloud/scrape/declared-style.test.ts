import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  hiddenByStyle,
  isSameColor,
  readColor,
  visibilityOf,
} from '../../../apps/cloud/src/scrape/declared-style.ts';
import { readStyleSheet } from '../../../apps/cloud/src/scrape/style-sheet.ts';

const declared = (style: string) => readStyleSheet('').declaredFor('p', { style }) ?? new Map();

it('recognizes styles that hide, and similar ones that do not', () => {
  for (const [style, reason] of [
    ['display:none', 'display'],
    ['content-visibility:hidden', 'display'],
    ['opacity:0', 'opacity'],
    ['filter:opacity(0%)', 'opacity'],
    ['font-size:0', 'font size'],
    ['font:0/0 a', 'font size'],
    ['transform:scale(0, 0)', 'zero size'],
    ['max-height:0;overflow:hidden', 'zero size'],
    ['height:1px;width:1px;overflow:hidden', 'zero size'],
    ['clip-path:circle(0)', 'clip'],
    ['position:fixed;top:-200vh', 'off screen'],
    ['position:relative;left:-5000px', 'off screen'],
    ['margin-left:-99em', 'off screen'],
    ['transform:translateX(-9999px)', 'off screen'],
  ]) {
    assert.equal(hiddenByStyle(declared(style ?? '')), reason, style);
  }
  for (const style of [
    '',
    'display:flex',
    'opacity:0.5',
    'font-size:0.9em',
    'font:12px/1.5 serif',
    'height:0',
    'overflow:hidden',
    'position:absolute;left:-10px;top:0',
    'clip:auto',
    'clip-path:inset(5%)',
    'transform:scale(0.95)',
    'text-indent:2em',
    'width:auto;overflow:hidden',
  ]) {
    assert.equal(hiddenByStyle(declared(style)), undefined, style);
  }
});

it('compares colors as an eye does', () => {
  const white = [255, 255, 255] as const;
  for (const same of [
    '#fff',
    'white',
    'rgb(255 255 255)',
    'rgba(0,0,0,0)',
    '#ffffff00',
    'transparent',
    '#fafafa',
  ]) {
    assert.equal(isSameColor(readColor(same) ?? [0, 0, 0], white), true, same);
  }
  for (const other of ['#000', 'black', '#e0e0e0', 'rgb(0,0,0)']) {
    assert.equal(isSameColor(readColor(other) ?? white, white), false, other);
  }
  assert.equal(readColor('var(--text)'), undefined);
  assert.equal(readColor(undefined), undefined);
});

it('reads visibility separately, as a child can take it back', () => {
  assert.equal(visibilityOf(declared('visibility:hidden')), false);
  assert.equal(visibilityOf(declared('visibility:visible')), true);
  assert.equal(visibilityOf(declared('color:red')), null);
});
