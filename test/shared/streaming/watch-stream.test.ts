import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRuleset, scan, Workspace } from '@csg/shared/detection';
import { formatByName } from '@csg/shared/providers';
import { watchStream, watchText } from '@csg/shared/streaming';
import type { TextSlot } from '@csg/shared/text';

// Assembled here, so that no file contains a whole one.
const KEY = ['sk', 'live', '51H8xQ2eZvKYlo2CzT9mNb4Rw7Gd'].join('_');
const RULESET = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const workspace = new Workspace();
const hasFinding = (slots: readonly TextSlot[]): boolean =>
  scan(slots, RULESET, 'output', { workspace }).length > 0;
const frame = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

test('a key that is split at any point is found, also far into the stream', () => {
  for (let cut = 1; cut < KEY.length; cut += 4) {
    const watch = watchStream(hasFinding, formatByName('openai-chat'));
    for (let i = 0; i < 400; i++) assert.equal(watch.push(frame('nothing to see here, ')), false);
    watch.push(frame(`use ${KEY.slice(0, cut)}`));
    assert.equal(watch.push(frame(`${KEY.slice(cut)} there`)), true, `cut at ${cut}`);
  }
});

test('frames of an unknown shape are joined by field name', () => {
  for (const make of [
    (text: string) => `data: ${JSON.stringify({ odd: { piece: text } })}\n\n`,
    (text: string) => `data: ${JSON.stringify({ type: 'response.text.delta', delta: text })}\n\n`,
  ]) {
    const watch = watchStream(hasFinding, null);
    assert.equal(watch.push(make('the key is ')), false);
    watch.push(make(KEY.slice(0, 12)));
    assert.equal(watch.push(make(`${KEY.slice(12)} there`)), true);
  }
});

test('a key is found wherever it crosses the edge of the remembered text', () => {
  const half = KEY.length >> 1;
  const filler = (length: number) => 'nothing to see here, '.repeat(2_000).slice(0, length);
  for (let at = -2 * KEY.length; at <= 2 * KEY.length; at++) {
    const text = watchText(hasFinding);
    // With the first half of the key, the watch has read about as much as it keeps.
    text.push(`${filler(2 * 8_192 - half + at)} ${KEY.slice(0, half)}`);
    assert.equal(text.push(`${KEY.slice(half)} there`), true, `text, ${at}`);
    const stream = watchStream(hasFinding, formatByName('openai-chat'));
    const first = frame(`use ${KEY.slice(0, half)}`);
    // Many small frames; the last one fills the rest.
    const small = frame(filler(60));
    const before = 2 * 8_192 - first.length + at;
    const count = Math.floor(before / small.length) - 1;
    const last = frame(filler(before - count * small.length - frame('').length));
    stream.push(small.repeat(count) + last + first);
    assert.equal(stream.push(frame(`${KEY.slice(half)} there`)), true, `stream, ${at}`);
  }
});

test('up to two windows of text are remembered, then cut at the end of a piece', () => {
  const windows: number[] = [];
  const watch = watchText(([slot]) => {
    windows.push(slot!.text.length);
    return hasFinding([]);
  });
  const push = (length: number) => watch.push('x'.repeat(length));
  push(2 * 8_192);
  push(1);
  push(1);
  assert.deepEqual(windows, [16_384, 16_385, 8_193], 'cut once it is longer, if no line ends');
  windows.length = 0;
  // then from after the last line end up to a window before the last piece
  watch.push('\n');
  push(8_192 + 99);
  push(1);
  assert.deepEqual(windows, [8_194, 8_194 + 8_291, 8_292]);
});
