import { partsBetween, type SignedBlock, signedPaths } from '../../providers/index.ts';
import { flatMapping, mapping, paramOf, type Steps, type TextSlot } from '../../text/index.ts';
import type { Facts, Question } from '../facts.ts';
import { isActedOn, type Judged, type Verdict, verdictOf } from '../verdict.ts';

export const SIGNED = { kind: 'limit', id: 'signed_content' } as const;

/**
 * What a provider signed goes back as it is or not at all. In a block that the provider's own answer had, findings are
 * reported only; in any other the request is refused, naming the block. A policy that blocks always does.
 */
export function* signedContent(verdict: Verdict, { texts, answers }: Facts): Steps<Verdict | Question> {
  const { signed = [], conversation } = texts;
  if (signed.length === 0 || verdict.decision === 'allow') return verdict;
  const touched = touchedBlocks(conversation.slots, signed);
  const concerned = new Set(
    yield* flatMapping(verdict.judged, (one) => (isKept(one) ? [] : touched(one.finding).blocks)),
  );
  if (concerned.size === 0) return verdict;
  const { isAnswered } = answers;
  if (isAnswered === undefined) return { ask: 'isAnswered', blocks: [...concerned] };
  const judged = yield* mapping(verdict.judged, (one): Judged => {
    if (isKept(one)) return one;
    const { blocks, isWithin } = touched(one.finding);
    const unknown = blocks.find((block) => !isAnswered(block));
    if (unknown !== undefined) return refused(one, unknown);
    // What is also outside of the blocks is masked there.
    return isWithin ? { ...one, action: 'monitor' } : one;
  });
  const decided = yield* verdictOf(judged);
  return decided.decision === verdict.decision ? decided : { decidedBy: SIGNED, ...decided };
}

/** True for what this step leaves as it is. */
function isKept(one: Judged): boolean {
  return !isActedOn(one) || (one.action === 'block' && one.policyId !== null);
}

function refused({ finding, policyId }: Judged, block: SignedBlock): Judged {
  const reason = `${finding.reason} ${refusalOf(block)}`;
  return { finding: { ...finding, reason }, action: 'block', policyId, by: SIGNED };
}

/** Tells why something in a block refuses the request, and what to do. */
export function refusalOf({ path }: Pick<SignedBlock, 'path'>): string {
  const why =
    'It is in a block that its provider signed, which cannot be masked, and which no answer that was read here had in the last 30 days.';
  return `${why} Remove the block ${paramOf(path) ?? path}, or begin a new conversation.`;
}

type PlaceOfText = Pick<Judged['finding'], 'slot' | 'start' | 'end'>;

/** The signed blocks that a finding touches, and whether it is in them alone. */
interface Touched {
  readonly blocks: readonly SignedBlock[];
  readonly isWithin: boolean;
}

export function touchedBlocks(
  slots: readonly TextSlot[],
  signed: readonly SignedBlock[],
): (place: PlaceOfText) => Touched {
  const blocks = new Map(signed.map((block) => [block.path, block]));
  const blockOfText = signedPaths(slots);
  return (place) => {
    const paths = pathsOf(place, slots);
    const within = paths.flatMap((path) => blocks.get(blockOfText.get(path) ?? '') ?? []);
    return { blocks: within, isWithin: within.length > 0 && within.length === paths.length };
  };
}

/** Returns the paths of the texts that a place is in. */
function pathsOf({ slot, start, end }: PlaceOfText, slots: readonly TextSlot[]): readonly string[] {
  const { path = '', parts } = slots[slot] ?? {};
  if (parts === undefined) return [path];
  return partsBetween(parts, start, end).map((part) => part.path);
}
