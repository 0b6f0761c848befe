import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatByName, replacementsByPath, writeTexts } from '../../../../shared/providers/index.ts';
import type { Replacement } from '../../../../shared/text/index.ts';
import { assertLinear } from '../../../support/cpu-time.ts';

/** Masks every occurrence of `secret` in every slot, as an engine that finds it everywhere would. */
function masked(source: string, secret: string | RegExp, mask = '[EMAIL]'): string {
  const { slots } = formatByName('openai-chat').readRequest(JSON.parse(source));
  const byIndex = new Map<number, Replacement[]>();
  for (const [i, slot] of slots.entries()) {
    const pattern =
      typeof secret === 'string' ? new RegExp(secret.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&'), 'g') : secret;
    const list = [...slot.text.matchAll(pattern)].map((m) => ({
      start: m.index,
      end: m.index + m[0].length,
      text: mask,
    }));
    if (list.length > 0) byIndex.set(i, list);
  }
  return writeTexts(source, replacementsByPath(slots, byIndex));
}

describe('writeTexts', () => {
  it('changes only the literal concerned', () => {
    const source =
      '{ "messages" :[ {"role":"us\\u0065r", "content" : "I am a\\u006ea@e.test \\ud83d\\ude00\\/" } ],\r\n\t"seed":9007199254740993,"t":1.0e5, "x\\/y":[ -0 , "\\u0041"] }';
    assert.equal(
      masked(source, 'ana@e.test'),
      '{ "messages" :[ {"role":"us\\u0065r", "content" : "I am [EMAIL] 😀/" } ],\r\n\t"seed":9007199254740993,"t":1.0e5, "x\\/y":[ -0 , "\\u0041"] }',
    );
  });

  it('masks tokens of log probabilities that a client returns, also if a secret covers several', () => {
    const tokens = (...textsOf: string[]) =>
      textsOf.map((token) => ({ token, top_logprobs: [{ token: 'x@e.test' }] }));
    const source = JSON.stringify({
      messages: [{ role: 'assistant', logprobs: { content: tokens('I am ', 'ana', '@e.', 'test', '!') } }],
    });
    const written = masked(source, /(?:ana|x)@e\.test/g);
    assert.ok(!/ana|@e|x@/.test(written), written);
    assert.equal(JSON.stringify(JSON.parse(written)), written);
  });

  it('keeps names with the same mask distinct from each other and from existing names', () => {
    const source =
      '{"messages":[],"metadata":{"a@e.test":1,"b@e.test":2,"[EMAIL]":3,"c":{"a@e.test":"a@e.test"}}}';
    assert.equal(
      masked(source, /[abc]@e\.test/g),
      '{"messages":[],"metadata":{"[EMAIL]_2":1,"[EMAIL]_3":2,"[EMAIL]":3,"c":{"[EMAIL]":"[EMAIL]"}}}',
    );
  });

  it('finds members whose names need escaping in a pointer', () => {
    const source = '{"messages":[],"a/b~c~key":{"~json/1":["x@e.test"],"":{"":"x@e.test"}}}';
    assert.equal(masked(source, 'x@e.test'), source.replaceAll('x@e.test', '[EMAIL]'));
  });

  it('writes a finding that spans blocks into each of them', () => {
    const source = JSON.stringify({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'mail ana@e' },
            { type: 'text', text: '.te' },
            { type: 'text', text: 'st please' },
          ],
        },
      ],
    });
    const texts = JSON.parse(masked(source, 'ana@e.test')).messages[0].content.map(
      (block: { text: string }) => block.text,
    );
    assert.deepEqual(texts, ['mail [EMAIL]', '', ' please']);
  });

  it('ignores unknown paths', () => {
    const source = '{"messages":[{"content":"x"}]}';
    const one = [{ start: 0, end: 1, text: '-' }];
    assert.equal(
      writeTexts(
        source,
        new Map([
          ['/messages/9', one],
          ['#joined:/x', one],
          ['/messages/0/content/0', one],
        ]),
      ),
      source,
    );
    assert.equal(writeTexts(source, new Map([['/messages/0/content', []]])), source);
  });

  it('is linear in the length of a body', () => {
    const source = (count: number) =>
      JSON.stringify({
        messages: Array.from({ length: count }, (_, i) => ({
          role: 'user',
          content: `line ${i} of a long talk`,
        })),
      });
    const change = (count: number) =>
      new Map([[`/messages/${count - 1}/content`, [{ start: 0, end: 4, text: '-' }]]]);
    assert.ok(writeTexts(source(20_000), change(20_000)).endsWith('"- 19999 of a long talk"}]}'));
    assertLinear(
      'messages',
      (count) => ({ text: source(count), changes: change(count) }),
      ({ text, changes }) => writeTexts(text, changes),
      2_000,
    );
  });

  it('writes 200,000 masks into one text, and into one joined from 30,000', () => {
    const mails = 'anna@ex.io\n'.repeat(200_000);
    const one = JSON.stringify({ messages: [{ role: 'user', content: mails }] });
    const due = JSON.stringify({
      messages: [{ role: 'user', content: mails.replaceAll('anna@ex.io', '[EMAIL]') }],
    });
    assert.equal(masked(one, 'anna@ex.io'), due);
    const blocks = (text: string) =>
      JSON.stringify({ messages: [{ role: 'user', content: Array(30_000).fill({ type: 'text', text }) }] });
    assert.equal(masked(blocks('anna@ex.io '), 'anna@ex.io'), blocks('[EMAIL] '));
  });
});
