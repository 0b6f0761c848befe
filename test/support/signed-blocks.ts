import { FORMAT_TABLES } from '../../shared/providers/registry.ts';
import type { FormatTable, MemberRules } from '../../shared/providers/tables.ts';
import type { Random } from './random.ts';

export const MAIL = 'mara.lind@norrvik-post.com';

/** A member that signs the block it is in, and the type of those blocks; null: any. */
export interface Sign {
  readonly type: string | null;
  readonly name: string;
  readonly value: unknown;
}

const signsIn = (members: MemberRules, type: string | null): Sign[] =>
  Object.entries(members).flatMap(([name, { signs, as }]) =>
    signs === true ? [{ type, name, value: as === 'sealed' ? `Eq+${MAIL}` : true }] : [],
  );

/** What the tables of all providers know. */
export const signsOf = ({ blocks }: FormatTable): Sign[] => [
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
export const SPEAKING_TABLES = FORMAT_TABLES.filter(
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

/** A block that is signed by that member, with random others, in the history of a request. */
export function signedRequest(
  table: FormatTable,
  { type, name, value }: Sign,
  random: Random,
): { readonly block: object; readonly body: object } {
  // A member that signs any block signs those of types that nobody knows yet.
  const named = type ?? (random.chance(0.5) ? 'musing' : null);
  const block = { ...(named !== null && { type: named }), ...someMembers(random), [name]: value };
  return { block, body: CONVERSATIONS[table.request.conversation]!(block, ITEMS.has(type ?? ''))! };
}
