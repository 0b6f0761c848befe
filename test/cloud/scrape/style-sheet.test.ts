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

describe('the styles of an element', () => {
  it('follow from tag, class and id in selectors of one step', () => {
    assert.deepEqual(of('p', { class: 'x a' }), { display: 'none' });
    assert.deepEqual(of('p', { class: 'b' }), { opacity: '0' });
    assert.deepEqual(of('div', { class: 'b y' }), {});
    assert.deepEqual(of('div', { id: 'i' }), { width: '0' });
    assert.deepEqual(of('div', { class: 'f' }), {});
  });

  it('leave out what is for other media', () => {
    assert.deepEqual(of('p', { class: 'c' }), {});
    assert.deepEqual(of('p', { class: 'd' }), { display: 'none' });
    assert.deepEqual(of('p', { class: 'e' }), { display: 'none' });
  });

  it("end with the element's own style", () => {
    assert.deepEqual(of('p', { class: 'a', style: 'DISPLAY: Block; Color:#FFF' }), {
      display: 'block',
      color: '#fff',
    });
    assert.equal(readStyleSheet('').declaredFor('p', {}), undefined);
  });

  it('are read in linear time', () => {
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
