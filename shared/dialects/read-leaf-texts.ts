import type { SlotRole } from '../text/index.ts';
import type { BodyReading } from './dialect.ts';
import { refuseOverflow } from './read-body.ts';
import { Reading, readLeaves } from './reading.ts';

/**
 * JSON of a shape that no dialect knows: every string leaf and every member name that no vendor uses, all in one role.
 * Throws BodyFault `too_many_texts` only.
 */
export function readLeafTexts(value: unknown, role: SlotRole = 'user'): BodyReading {
  const reading = new Reading();
  readLeaves(reading, value, '', role);
  refuseOverflow(reading);
  const { slots, unscanned, files } = reading;
  return { slots, unscanned, files, model: null, stream: false };
}
