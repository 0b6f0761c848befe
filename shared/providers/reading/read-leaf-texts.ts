import type { SlotRole } from '../../text/index.ts';
import type { BodyReading } from '../dialect.ts';
import { refuseOverflow } from './read-body.ts';
import { Reading, readLeaves, type Source } from './reading.ts';

/**
 * JSON of a shape that no dialect knows: every string leaf, long number and member name that no vendor uses, all in one role.
 * Throws BodyFault `too_many_texts` only.
 */
export function readLeafTexts(
  value: unknown,
  role: SlotRole = 'user',
  source: Source = () => '',
): BodyReading {
  const reading = new Reading();
  reading.from(source);
  readLeaves(reading, value, '', role);
  refuseOverflow(reading);
  const { slots, unscanned, files } = reading;
  return { slots, unscanned, files, model: null, stream: false };
}
