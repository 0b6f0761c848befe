import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByName } from '@csg/shared/providers';
import { restoreBody as restoringBody } from '@csg/shared/streaming';
import { finish } from '@csg/shared/text';
import { amazonFraming, findEventStreamError } from '../../../apps/cloud/src/upstream/amazon/event-stream.ts';
import { amazonMessage, readAmazonMessages } from '../../support/amazon-stream.ts';

const restoreBody = (...given: Parameters<typeof restoringBody>) => finish(restoringBody(...given));

const MASK = '[EMAIL_7K3M9QWX]';
const VALUE = 'anna@example.com';
const toRestore = { values: new Map([[MASK, { value: VALUE, type: 'email' }]]), secretTools: {} };
const response = { framing: amazonFraming, isStream: true, calls: [] };
const event = { type: 'content_block_delta', index: 0 };
const deltaIn = (text: string) => ({ ...event, delta: { type: 'text_delta', text } });

/** How each format frames a piece, and what its clients read. */
const KINDS = {
  'bedrock-converse': {
    pack: (text: string) =>
      amazonMessage('contentBlockDelta', JSON.stringify({ contentBlockIndex: 0, delta: { text }, p: 'abc' })),
    read: (payload: string) => (JSON.parse(payload) as { delta: { text: string } }).delta.text,
  },
  'bedrock-invoke': {
    pack: (text: string) => {
      const bytes = Buffer.from(JSON.stringify(deltaIn(text))).toString('base64');
      return amazonMessage('chunk', JSON.stringify({ bytes, p: 'abc' }));
    },
    read: (payload: string) => {
      const { bytes } = JSON.parse(payload) as { bytes: string };
      return (JSON.parse(Buffer.from(bytes, 'base64').toString()) as ReturnType<typeof deltaIn>).delta.text;
    },
  },
};

for (const [name, { pack, read }] of Object.entries(KINDS))
  test(`values are restored in messages of ${name}, wherever they are split; every other one stays`, () => {
    const format = formatByName(name);
    for (let cut = 0; cut <= MASK.length; cut++) {
      const calm = pack('Here it is: ');
      const body = Buffer.concat([calm, pack(MASK.slice(0, cut)), pack(`${MASK.slice(cut)} as asked`)]);
      const restored = restoreBody(toRestore, { ...response, format, body })!;
      assert.equal(finish(findEventStreamError(restored)), null);
      assert.deepEqual(restored.subarray(0, calm.length), calm);
      const texts = readAmazonMessages(restored).map(({ payload }) => read(payload));
      assert.equal(texts.join(''), `Here it is: ${VALUE} as asked`);
    }
  });

test('nothing is restored without masks, without a change, or in a body of an unexpected form', () => {
  const format = formatByName('openai-chat');
  const restored = (text: string, { values } = toRestore) => {
    const body = Buffer.from(text);
    return restoreBody({ ...toRestore, values }, { format, body, isStream: false, calls: [] })?.toString();
  };
  const answer = (text: string) => JSON.stringify({ choices: [{ message: { content: text } }] });
  assert.equal(restored(answer(`Dear ${MASK}`)), answer(`Dear ${VALUE}`));
  assert.equal(restored(answer(`Dear ${MASK}`), { ...toRestore, values: new Map() }), undefined);
  assert.equal(restored(`Dear ${MASK}`), undefined);
  assert.equal(restored(answer('Dear all')), undefined);
});
