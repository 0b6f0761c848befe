import { type RoundTrip, roundTrip } from '@csg/shared/streaming';
import type { Replacement, TextSlot } from '@csg/shared/text';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';

/** Returns the round trip of a request if the project enables it and something was masked. */
export function roundTripOf(
  deps: { readonly storage: Pick<Storage, 'projects'> },
  { settings, projectId }: Principal,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): RoundTrip | null {
  if (settings.masking !== 'round_trip' || projectId === null) return null;
  return roundTrip(deps.storage.projects.maskDigests(projectId), slots, replacements);
}
