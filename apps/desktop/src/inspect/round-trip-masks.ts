import { roundTrip, type ValuesToRestore } from '@csg/shared/release';
import type { Replacement } from '@csg/shared/text';
import type { EvaluationTools, InspectedRequest } from './evaluate-reading.ts';
import { maskPositions } from './mask-positions.ts';
import { isReadByFrame } from './release-stream.ts';
import type { RequestReading } from './request-reading.ts';

type Replacements = ReadonlyMap<number, readonly Replacement[]>;

export interface MaskedRequest {
  readonly replacements: Replacements;
  /** Null: nothing is restored. */
  readonly restores: ValuesToRestore | null;
}

/**
 * Creates masks that are restored in the response, if the policy requires it and the response can be rewritten. Values
 * are stored only with the request. A text in which the device does not find the values itself keeps one-way masks.
 */
export function roundTripMasks(
  { compiled }: InspectedRequest,
  { format, slots }: Pick<RequestReading, 'format' | 'slots'>,
  replacements: Replacements,
  { maskDigest }: Pick<EvaluationTools, 'maskDigest'>,
): MaskedRequest {
  const { masking, secretTools } = compiled.policy;
  const isRestorable = format !== null && format.isPage !== true && isReadByFrame(format);
  if (masking !== 'round_trip' || !isRestorable) return { replacements, restores: null };
  const exact = new Map<number, readonly Replacement[]>();
  for (const [index, list] of replacements) {
    const places = maskPositions(slots[index]!.text, list, compiled.workspace);
    if (places !== null) exact.set(index, places);
  }
  const masked = roundTrip(maskDigest, slots, exact);
  return {
    replacements: new Map([...replacements, ...masked.replacements]),
    restores: { values: masked.values, secretTools },
  };
}
