import { WITHHELD } from '@csg/shared/detection';
import {
  countWritten,
  type ExtractedBody,
  isWritable,
  replacementsByPathInSteps,
  writeTextsInSteps,
} from '@csg/shared/providers';
import { type DigestOf, type RoundTrip, roundTrip } from '@csg/shared/streaming';
import { finish, type Replacement, type Steps, type TextSlot } from '@csg/shared/text';
import type { Principal } from './authenticate-key.ts';
import type { Evaluation } from './decision/evaluate.ts';
import type { RelayDependencies, RelayRequest } from './relay-request.ts';

interface RewrittenBody {
  /** Null: the project does not restore values. */
  readonly masked: RoundTrip | null;
  readonly body: Buffer;
  /** Number of withheld passages, including those in encoded texts. */
  readonly withheld: number;
}

/** Rewrites a small body at once, and a large one in turns of the event loop. */
export async function rewriteBody(
  { storage, pacedTurns }: Pick<RelayDependencies, 'storage' | 'pacedTurns'>,
  principal: Principal,
  { source }: Pick<RelayRequest, 'source'>,
  extracted: ExtractedBody,
  { verdict }: Evaluation,
): Promise<RewrittenBody> {
  const { settings, projectId } = principal;
  const digests =
    settings.masking === 'round_trip' && projectId !== null ? storage.projects.maskDigests(projectId) : null;
  const work = rewrite(source, extracted, verdict.replacements, digests);
  return source.length < LARGE_CHARACTERS ? finish(work) : await pacedTurns.run(principal, work);
}

const LARGE_CHARACTERS = 16_384;

/** Changes only the affected string literals; all other bytes stay the same. */
function* rewrite(
  source: string,
  { slots }: ExtractedBody,
  replacements: ReadonlyMap<number, readonly Replacement[]>,
  digestOf: DigestOf | null,
): Steps<RewrittenBody> {
  const masked = digestOf === null ? null : yield* roundTrip(digestOf, slots, replacements);
  const byPath = yield* replacementsByPathInSteps(slots, masked?.replacements ?? replacements);
  for (const path of byPath.keys()) {
    // Failing is better than forwarding a request with unmasked data.
    if (!isWritable({ path })) throw new Error(`a redaction at ${path} has no place to be written to`);
  }
  const written = yield* writeTextsInSteps(source, byPath);
  yield;
  const body = Buffer.from(written);
  yield;
  const withheld = yield* countWithheld(slots, replacements);
  return { masked, body, withheld };
}

function* countWithheld(
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): Steps<number> {
  const withheld = new Map<number, readonly Replacement[]>();
  for (const [slot, list] of replacements) {
    const own = list.filter(({ text }) => text === WITHHELD);
    if (own.length > 0) withheld.set(slot, own);
    yield;
  }
  return yield* countWritten(slots, withheld);
}
