import { type SignedBlock, signedKeys } from '@csg/shared/providers';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';
import type { Clock } from '../clock.ts';

/** How long a block of an answer goes back unchanged, whatever is found in it. */
const KEPT_MS = 30 * 86_400_000;

export interface SignedDeps {
  readonly storage: Pick<Storage, 'conversationNotes'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Returns which of these blocks answers to the organization had, through whatever project. */
export async function findSigned(
  { storage: { conversationNotes }, clock }: SignedDeps,
  principal: Principal,
  blocks: readonly SignedBlock[],
): Promise<(block: SignedBlock) => boolean> {
  const scope = scopeOf(principal);
  const keys = new Map(blocks.map((block) => [block, keysOf(conversationNotes, scope, block)]));
  const known = await conversationNotes.find(scope, [...keys.values()].flat(), clock.now() - KEPT_MS);
  return (block) => keys.get(block)?.every((key) => known.has(key)) ?? false;
}

/** Notes the signed blocks of an answer, as keyed digests. */
export async function keepSigned(
  { storage: { conversationNotes } }: SignedDeps,
  principal: Principal,
  blocks: readonly SignedBlock[],
): Promise<void> {
  if (blocks.length === 0) return;
  const scope = scopeOf(principal);
  const keys = blocks.flatMap((block) => keysOf(conversationNotes, scope, block));
  await conversationNotes.keep(scope, new Map(keys.map((key) => [key, ''])));
}

const scopeOf = ({ organizationId }: Principal) => ({ organizationId, projectId: null });

const keysOf = (
  conversationNotes: Storage['conversationNotes'],
  scope: ReturnType<typeof scopeOf>,
  block: SignedBlock,
): string[] => signedKeys(block).map((key) => conversationNotes.keyOf(scope, 'signed', [key]));
