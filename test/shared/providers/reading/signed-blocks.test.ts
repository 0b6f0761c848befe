import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { replacementsByPath, signedKeys, writeTexts } from '@csg/shared/providers';
import { FORMAT_TABLES, formatOf } from '../../../../shared/providers/registry.ts';
import type { FormatTable, MemberRules } from '../../../../shared/providers/tables.ts';
import { cases, seedFor } from '../../../support/part.ts';
import { createRandom, type Random } from '../../../support/random.ts';

const MAIL = 'mara.lind@norrvik-post.com';

/** A member that signs the block it is in, and the type of those blocks; null: any. */
interface Sign {
  readonly type: string | null;
  readonly name: string;
  readonly value: unknown;
}

const signsIn = (members: MemberRules, type: string | null): Sign[] =>
  Object.entries(members).flatMap(([name, { signs, as }]) =>
    signs === true ? [{ type, name, value: as === 'sealed' ? `Eq+${MAIL}` : true }] : [],
  );

/** What the tables of all providers know. */
const signsOf = ({ blocks }: FormatTable): Sign[] => [
  ...signsIn(blocks.members, null),
  ...Object.entries(blocks.types).flatMap(([type, { members }]) => signsIn(members ?? {}, type)),
];

const CONVERSATIONS: Readonly<Record<string, (block: object, isItem: boolean) => object | null>> = {
  messages: (block) => ({
    messages: [user(), { role: 'assistant', content: [block, { text: `To ${MAIL}` }] }],
  }),
  contents: (block) => ({
    contents: [
      { role: 'user', parts: [{ text: `Mail ${MAIL}` }] },
      { role: 'model', parts: [block, { text: `To ${MAIL}` }] },
    ],
  }),
  input: (block, isItem) => ({
    input: [user(), isItem ? block : { role: 'assistant', content: [block, { text: `To ${MAIL}` }] }],
  }),
};
const user = () => ({ role: 'user', content: `Mail ${MAIL}` });
const ITEMS = new Set(['reasoning', 'compaction']);

/** Formats in which a model speaks. */
const TABLES = FORMAT_TABLES.filter(
  ({ request }) =>
    request.conversation in CONVERSATIONS && Object.values(request.roles).includes('assistant'),
);

/** Members as a provider may add them: texts, lists, objects, JSON in a string, numbers, names that are texts. */
function someMembers(random: Random, depth = 0): Record<string, unknown> {
  const value = (): unknown =>
    random.pick([
      () => `The author is ${MAIL}.`,
      () => ({ type: 'summary_text', text: MAIL }),
      () => [MAIL, { text: `${MAIL} again` }],
      () => JSON.stringify({ to: MAIL, note: 'a "quoted" \n word' }),
      () => 4242424242424242,
      () => (depth < 3 ? someMembers(random, depth + 1) : MAIL),
      () => `data:text/plain;base64,${Buffer.from(MAIL).toString('base64')}`,
    ])();
  const names = ['thinking', 'text', 'summary', 'content', 'encrypted_content', 'data', 'note', `to ${MAIL}`];
  return Object.fromEntries(names.filter(() => random.chance(0.5)).map((name) => [name, value()]));
}

describe('signed blocks', () => {
  test('the tables know how each provider signs', () => {
    const known = new Set(TABLES.flatMap(signsOf).map(({ type, name }) => `${type ?? 'any'} ${name}`));
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

  for (const table of TABLES) {
    for (const { type, name, value } of signsOf(table)) {
      test(`${table.name}: no text that ${name} of ${type ?? 'any block'} covers is ever written`, () => {
        const random = createRandom(seedFor(`${table.name} ${type} ${name}`));
        for (let i = 0; i < cases(20, 500); i++) {
          const block = { ...(type !== null && { type }), ...someMembers(random), [name]: value };
          const body = CONVERSATIONS[table.request.conversation]!(block, ITEMS.has(type ?? ''));
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
    const messages = formatOf({ format: TABLES.find(({ name }) => name === 'anthropic-messages')! });
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
