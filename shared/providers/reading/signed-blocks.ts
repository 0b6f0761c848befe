import type { SlotRole } from '../../text/index.ts';
import type { SignedBlock } from '../wire-format.ts';
import { isShortNumber } from './numbers.ts';
import type { Rule, Rules } from './rules.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns the signature of a block of the model that its provider signed; empty if it has none of its own, null if the
 * block is not signed. Elsewhere a signature is a text like any other: users and tools may write one, and nobody checks
 * it. `isItem`: the block is a message, or an item of a conversation.
 */
export function sealOf(
  { signing, types }: Pick<Rules, 'signing' | 'types'>,
  block: JsonObject,
  role: SlotRole,
  isItem: boolean,
): string | null {
  const isModels = role === 'assistant';
  const ofAny = isModels && !isItem ? firstSeal(signing, block) : null;
  if (ofAny !== null || !(isItem || isModels)) return ofAny;
  const type = block['type'];
  const own = typeof type === 'string' ? types.get(type)?.members : undefined;
  return own == null ? null : firstSeal(own, block);
}

function firstSeal(rules: Iterable<readonly [name: string, rule: Rule]>, block: JsonObject): string | null {
  for (const [name, rule] of rules) {
    const seal = rule.signs === true ? sealIn(rule, block[name]) : null;
    if (seal !== null) return seal;
  }
  return null;
}

function sealIn({ as }: Rule, value: unknown): string | null {
  if (as !== 'sealed') return value === true ? '' : null;
  return typeof value === 'string' && value !== '' ? value : null;
}

const MAX_DEPTH = 50;

/** Returns the texts and long numbers of a signed block, without exact words of the providers. */
export function signedTexts(value: unknown, words: Rules['words'], depth = 0): string[] {
  if (typeof value === 'string') return value === '' || words.values.has(value) ? [] : [value];
  if (typeof value === 'number') return isShortNumber(value) ? [] : [String(value)];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((member) => signedTexts(member, words, depth + 1));
}

/**
 * Returns the keys by which the texts of a block are known. A block is an answer's if that had all of its texts with the
 * same signature, in whatever order: clients drop and sort members.
 */
export function signedKeys({ seal, texts }: SignedBlock): string[] {
  return [...new Set(texts)].map((text) => JSON.stringify([seal, text]));
}
