import type { UnscannedReason } from '../../contract/index.ts';
import type { Facts } from '../facts.ts';
import { tighten, type Verdict } from '../verdict.ts';

const THREAT = 'hidden_content';
const WHY: Readonly<Partial<Record<UnscannedReason, string>>> = {
  url_only: 'is only referenced by its URL',
  stored_with_provider: 'is stored with the provider',
  encrypted: 'is encrypted',
  no_text_extracted: 'has no extractable text',
  too_large: 'exceeds the size limits',
  undecodable: 'cannot be decoded',
  unsupported_type: 'is a file of an unsupported type',
};

/** Parts that could not be read are blocked if the project says so. No exception lifts it: they apply to findings. */
export function unreadParts(verdict: Verdict, { texts, rules }: Facts): Verdict {
  const { blocksUnread } = rules;
  if (verdict.decision === 'block' || blocksUnread === undefined) return verdict;
  // The first in the order of the body.
  const unread = texts.unread.find(blocksUnread);
  if (unread === undefined) return verdict;
  const why = WHY[unread.reason] ?? 'could not be read';
  const reason = `A part ${why}, so it was not scanned, and this project blocks unscanned parts (on_unscanned).`;
  const by = { kind: 'setting', id: 'on_unscanned' } as const;
  return { ...tighten(verdict, { decision: 'block', type: THREAT, reason, by }), unread };
}
