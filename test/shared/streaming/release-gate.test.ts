import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReleaseGate } from '../../../shared/streaming/release-gate.ts';

const PLAIN = 'These are plain words and nothing else. ';

test('reads only parts that are not plain, and rereads only the text around them', () => {
  const parts: string[] = [];
  const gate = new ReleaseGate((part) => {
    parts.push(part);
    return false;
  });
  const text = `${PLAIN.repeat(100)}x_1 ${PLAIN.repeat(100)}x_2 ${PLAIN.repeat(100)}`;
  let released = 0;
  for (const letter of text) released = gate.push(letter);
  assert.equal(parts.length, 2);
  assert.ok(parts[0]!.includes('x_1') && parts[1]!.includes('x_2'));
  assert.ok(parts.every((part) => part.length < 1_500));
  assert.ok(released > text.length - 200);
});

test('releases nothing more after a finding', () => {
  const gate = new ReleaseGate((part) => part.includes('x_1'));
  const released = gate.push(`${PLAIN.repeat(100)}x_1 ${PLAIN.repeat(20)}`);
  assert.ok(released < PLAIN.length * 100);
  assert.equal(gate.push(PLAIN.repeat(500)), released);
});

test('reads a linear amount of a text without any plain word', () => {
  for (const word of ['x_1 ', '12,345 ', '[a](b) ', 'a_', '漢_ ']) {
    let read = 0;
    const gate = new ReleaseGate((part) => {
      read += part.length;
      return false;
    });
    const text = word.repeat(100_000 / word.length);
    for (let at = 0; at < text.length; at += 50) gate.push(text.slice(at, at + 50));
    assert.ok(read < text.length * 5, `${word}: ${read}`);
  }
});
