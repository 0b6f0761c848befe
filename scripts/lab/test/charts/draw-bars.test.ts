import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBars } from '../../charts/draw-bars.ts';

const row = (label: string, value: number) => ({ label, value, isOurs: true });
const widths = (svg: string): number[] =>
  [...svg.matchAll(/<rect [^>]*width="([^"]+)"/g)].map(([, width]) => Number(width));

test('bars are proportional to their values, relative to the largest or to a given maximum', () => {
  const [half, whole] = widths(drawBars('t', [row('a', 40), row('b', 80)]));
  assert.equal(half! * 2, whole);
  const [share, empty] = widths(drawBars('t', [row('a', 0.25), row('b', 0)], { max: 1, digits: 2 }));
  assert.equal(share! * 4, whole, 'not as if it were everything');
  assert.equal(empty, 1);
});

test('only zeros still give a picture', () => {
  assert.deepEqual(widths(drawBars('t', [row('a', 0)])), [1]);
});

test('numbers have their digits, and texts are escaped', () => {
  const svg = drawBars('a < "b" & c', [row('<x>', 1234.5)], { digits: 2 });
  assert.match(svg, />1,234\.50</);
  assert.match(svg, /<title>a &#60; &#34;b&#34; &#38; c<\/title>/);
  assert.ok(!svg.includes('<x>'));
});
