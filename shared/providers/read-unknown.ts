import { conversationOf, finish, type SlotRole, type Steps } from '../text/index.ts';
import { rejectOverflow } from './reading/read-body.ts';
import { readStream } from './reading/read-stream.ts';
import { readLeaves, TextCollector } from './reading/text-collector.ts';
import { UNKNOWN_RULES } from './registry.ts';
import type { ExtractedBody, Source } from './wire-format.ts';

/**
 * Reads JSON of an unknown shape: every string leaf, long number and member name that no provider uses, all in one
 * role. Throws BodyError `too_many_texts` only.
 */
export function readLeafTexts(value: unknown, role?: SlotRole, source?: Source): ExtractedBody {
  return finish(readLeafTextsInSteps(value, role, source));
}

/** Does the same in steps. */
export function* readLeafTextsInSteps(
  value: unknown,
  role: SlotRole = 'user',
  source: Source = () => '',
): Steps<ExtractedBody> {
  const collector = new TextCollector(UNKNOWN_RULES);
  collector.from(source);
  yield* readLeaves(collector, value, '', role);
  rejectOverflow(collector);
  const { slots, unscanned, files } = collector;
  return { ...conversationOf(slots, role), unscanned, files, signed: [], model: null, stream: false };
}

/** Reads a stream of an unknown format: its texts are joined by the names of their members. */
export function readUnknownStream(body: string): ExtractedBody {
  return finish(readStream(body, UNKNOWN_RULES));
}
