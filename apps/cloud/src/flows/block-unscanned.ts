import type { UnscannedReason } from '@csg/shared/contract';
import type { UnreadPart } from '@csg/shared/providers';
import { type ExceptedVerdict, type ExceptionDeps, findException } from './approvals/apply-exceptions.ts';
import type { Principal } from './authenticate-key.ts';

export interface UnscannedTexts {
  readonly unscanned: readonly UnreadPart[];
  readonly destinationHost?: string | undefined;
}

const THREAT = 'hidden_content';
const WHY: Readonly<Partial<Record<UnscannedReason, string>>> = {
  url_only: 'is only referenced by its URL',
  file_id_unsupported: 'is a file stored at the provider',
  encrypted: 'is encrypted',
  no_text_extracted: 'has no extractable text',
  too_large: 'exceeds the size limits',
  undecodable: 'cannot be decoded',
  unsupported_type: 'is a file of an unsupported type',
};

/**
 * Applies the project's setting `on_unscanned` to parts that could not be read. Content that a provider encrypted for
 * itself contains nothing a person wrote, so it is ignored; images and audio count only if the project itself has set
 * `block`. An exception for the destination that names hidden content allows them.
 */
export async function blockUnscanned<V extends ExceptedVerdict>(
  deps: ExceptionDeps,
  principal: Principal,
  { unscanned, destinationHost }: UnscannedTexts,
  verdict: V,
): Promise<V> {
  if (verdict.decision === 'block') return verdict;
  const unread = blockingPart(unscanned, principal);
  if (unread === null) return verdict;
  const exception =
    destinationHost === undefined ? null : await findException(deps, principal, destinationHost, THREAT);
  if (exception !== null) {
    const exceptionIds = [...(verdict.exceptionIds ?? []), exception];
    return { ...verdict, decidedBy: { kind: 'exception', id: exception }, exceptionIds };
  }
  const why = WHY[unread.reason] ?? 'could not be read';
  const details = `A part ${why}, so it was not scanned, and this project blocks unscanned parts (on_unscanned).`;
  return {
    ...verdict,
    decision: 'block',
    confidence: 1,
    threatType: THREAT,
    decidedBy: { kind: 'setting', id: 'on_unscanned' },
    threats: [{ type: THREAT, confidence: 1, details }, ...verdict.threats],
    replacements: new Map(),
    unread,
  };
}

/** Returns the first part, in the order of the body, that makes the project block. */
function blockingPart(
  unscanned: readonly UnreadPart[],
  { settings, explicitSettings }: Pick<Principal, 'settings' | 'explicitSettings'>,
): UnreadPart | null {
  if (settings.on_unscanned !== 'block') return null;
  const isMediaBlocked = explicitSettings.on_unscanned === 'block';
  const counts = ({ mayHold }: UnreadPart) => mayHold === 'text' || (mayHold === 'media' && isMediaBlocked);
  return unscanned.find(counts) ?? null;
}
