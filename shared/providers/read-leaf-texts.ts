import { conversationOf, type SlotRole } from '../text/index.ts';
import { refuseOverflow } from './reading/read-body.ts';
import { Reading, readLeaves, type Source } from './reading/reading.ts';
import { RULES_OF_NOBODY } from './registry.ts';
import type { BodyReading } from './wire-format.ts';

/**
 * JSON of a shape that no format has: every string leaf, long number and member name that no provider uses, all in one
 * role. Throws BodyError `too_many_texts` only.
 */
export function readLeafTexts(
  value: unknown,
  role: SlotRole = 'user',
  source: Source = () => '',
): BodyReading {
  const reading = new Reading(RULES_OF_NOBODY);
  reading.from(source);
  readLeaves(reading, value, '', role);
  refuseOverflow(reading);
  const { slots, unscanned, files } = reading;
  return { ...conversationOf(slots, role), unscanned, files, model: null, stream: false };
}
