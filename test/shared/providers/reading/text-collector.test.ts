import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ExtractedBody, formatByName, writeTexts } from '../../../../shared/providers/index.ts';
import { BodyError } from '../../../../shared/text/index.ts';

const read = (name: string, value: unknown): ExtractedBody => formatByName(name).readRequest(value);

describe('limits', () => {
  it('shortens long names in paths, for reading and writing alike', () => {
    const name = `${'n'.repeat(5_000)}/~`;
    const source = JSON.stringify({ messages: [], [name]: { [`${name}2`]: { [name]: ['ana@e.test'] } } });
    const { slots } = read('openai-chat', JSON.parse(source));
    const slot = slots.find((one) => one.text === 'ana@e.test');
    assert.ok(slot !== undefined && slot.path.length < 400, slot?.path);
    const written = writeTexts(source, new Map([[slot.path, [{ start: 0, end: 10, text: '[EMAIL]' }]]]));
    assert.equal(written, source.replace('ana@e.test', '[EMAIL]'));
  });

  it('writes at any depth of paths', () => {
    let value: unknown = ['ana@e.test'];
    for (let i = 0; i < 95; i++) value = { [`${'deep'.repeat(20)}${i}`]: value };
    const source = JSON.stringify({ messages: [], value });
    const { slots } = read('openai-chat', JSON.parse(source));
    const slot = slots.find((one) => one.text === 'ana@e.test');
    assert.ok(slot !== undefined && slot.path.length < 2_000);
    const written = writeTexts(source, new Map([[slot.path, [{ start: 0, end: 10, text: '[EMAIL]' }]]]));
    assert.equal(written, source.replace('ana@e.test', '[EMAIL]'));
  });

  it('rejects a request with too many texts, and still reads such a response', () => {
    const words = Array.from({ length: 200_010 }, (_, i) => `w${i}`);
    assert.throws(
      () => read('openai-chat', { messages: [], words }),
      (error) => error instanceof BodyError && error.reason === 'too_many_texts',
    );
    const answer = formatByName('openai-chat').readResponse({ words });
    assert.ok(answer.slots.at(-1)?.text.includes('w200009'));
  });
});
