import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { replacementsByPath, signedKeys, writeTexts } from '@csg/shared/providers';
import { formatOf } from '../../../../shared/providers/registry.ts';
import { cases, seedFor } from '../../../support/part.ts';
import { createRandom } from '../../../support/random.ts';
import { MAIL, SPEAKING_TABLES, signedRequest, signsOf } from '../../../support/signed-blocks.ts';

describe('signed blocks', () => {
  test('the tables know how each provider signs', () => {
    const known = new Set(
      SPEAKING_TABLES.flatMap(signsOf).map(({ type, name }) => `${type ?? 'any'} ${name}`),
    );
    for (const one of [
      'any signature',
      'any thought',
      'any redactedContent',
      'redacted_thinking data',
      'reasoning encrypted_content',
      'compaction encrypted_content',
    ])
      assert.ok(known.has(one), one);
  });

  for (const table of SPEAKING_TABLES) {
    for (const sign of signsOf(table)) {
      const { type, name } = sign;
      test(`${table.name}: no text that ${name} of ${type ?? 'any block'} covers is ever written`, () => {
        const random = createRandom(seedFor(`${table.name} ${type} ${name}`));
        for (let i = 0; i < cases(20, 500); i++) {
          const { block, body } = signedRequest(table, sign, random);
          const source = JSON.stringify(body);
          const read = formatOf({ format: table }).readRequest(body, () => source);
          const all = new Map(
            read.slots.map(({ text }, at) => [at, [{ start: 0, end: text.length, text: '[MASKED]' }]]),
          );
          const written = writeTexts(source, replacementsByPath(read.slots, all));
          assert.ok(written.includes(JSON.stringify(block)), `${JSON.stringify(block)}\n${written}`);
          // All else is.
          assert.ok(!written.replace(JSON.stringify(block), '').includes(MAIL), written);
          assert.equal(read.signed.length, 1);
        }
      });
    }
  }

  test('have the same keys whole, in pieces and with members that clients change', () => {
    const messages = formatOf({ format: SPEAKING_TABLES.find(({ name }) => name === 'anthropic-messages')! });
    const block = { type: 'thinking', thinking: 'I look at the next commit.', signature: 'EqQBCkYI' };
    const frames = [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'I look at the ' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'next commit.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQBCkYI' } },
    ];
    const stream = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
    const [inPieces] = messages.readStream(stream).signed;
    const [whole] = messages.readResponse({ content: [block] }).signed;
    const history = [{ role: 'assistant', content: [{ cache_control: { type: 'ephemeral' }, ...block }] }];
    const [sent] = messages.readRequest({ messages: history }).signed;
    const keys = [whole, inPieces, sent].map((one) => signedKeys(one!).sort());
    assert.deepEqual(keys, [keys[0], keys[0], keys[0]]);
  });
});
