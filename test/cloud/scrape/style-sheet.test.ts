import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readStyleSheet } from '../../../apps/cloud/src/scrape/style-sheet.ts';
import { assertLinear } from '../../support/cpu-time.ts';

const CSS =
  '.a{display:none;z-index:3} p.b, #x .y{opacity:0} #i{width:0} @media print{.c{display:none}} ' +
  '@media screen{.d{display:none}} @layer{.e{display:none}} .f:hover{display:none} *{color:red}';
const sheet = readStyleSheet(CSS);
const of = (tag: string, attributes: Record<string, string>) =>
  Object.fromEntries(sheet.declaredFor(tag, attributes) ?? []);

describe('what styles declare for an element', () => {
  it('goes by tag, class and id of one step', () => {
    assert.deepEqual(of('p', { class: 'x a' }), { display: 'none' });
    assert.deepEqual(of('p', { class: 'b' }), { opacity: '0' });
    assert.deepEqual(of('div', { class: 'b y' }), {});
    assert.deepEqual(of('div', { id: 'i' }), { width: '0' });
    assert.deepEqual(of('div', { class: 'f' }), {});
  });

  it('leaves out what is for other media', () => {
    assert.deepEqual(of('p', { class: 'c' }), {});
    assert.deepEqual(of('p', { class: 'd' }), { display: 'none' });
    assert.deepEqual(of('p', { class: 'e' }), { display: 'none' });
  });

  it("ends with the element's own style", () => {
    assert.deepEqual(of('p', { class: 'a', style: 'DISPLAY: Block; Color:#FFF' }), {
      display: 'block',
      color: '#fff',
    });
    assert.equal(readStyleSheet('').declaredFor('p', {}), undefined);
  });

  it('is read in linear time, and not at all where it is nested beyond reason', () => {
    for (const [css, times] of [
      ['a{x:', 10_000],
      ['@media all{', 10_000],
      ['([', 30_000],
      ['.a{display:none}', 6_000],
      ['/*', 30_000],
    ] as const) {
      assertLinear(
        css,
        (size) => css.repeat(size),
        (text) => readStyleSheet(text),
        times,
      );
    }
  });
});
