import { WITHHELD } from '@csg/shared/detection';
import type { Replacement, TextSlot } from '@csg/shared/text';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../authenticate-key.ts';

/** What was masked in one request so that it can be put back into the response. Nothing of it is stored. */
export interface RoundTrip {
  /** With the project's own placeholders, by slot. */
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
  /** By placeholder: the value, as it stands in the request. */
  readonly values: ReadonlyMap<string, MaskedValue>;
}

export interface MaskedValue {
  readonly value: string;
  /** Such as `email`. */
  readonly type: string;
}

/** Crockford's base32. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;

/**
 * Placeholders that are the same for the same value in every request of the project, so that prompt caches stay warm, and
 * no other's. What the developer wrote is masked so, too, and never put back.
 */
function roundTrip(
  { projects }: Pick<Storage, 'projects'>,
  projectId: string,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): RoundTrip {
  const values = new Map<string, MaskedValue>();
  const digestOf = projects.maskDigests(projectId);
  const changed = [...replacements].map(([index, list]): [number, Replacement[]] => {
    const slot = slots[index]!;
    return [index, list.map((one) => withPlaceholder(one, slot))];
  });
  return { replacements: new Map(changed), values };

  function withPlaceholder(replacement: Replacement, { role, text }: TextSlot): Replacement {
    const type = MASK.exec(replacement.text)?.[1];
    if (type === undefined || replacement.text === WITHHELD || type === 'REDACTED') return replacement;
    const value = text.slice(replacement.start, replacement.end);
    const placeholder = `[${type}_${codeOf(digestOf(`${type}\n${value}`))}]`;
    if (role !== 'system' && role !== 'tool_definition')
      values.set(placeholder, { value, type: type.toLowerCase() });
    return { ...replacement, text: replacement.text.replace(`[${type}]`, placeholder) };
  }
}

/** A bare JSON number gets quotes with its mask. */
const MASK = /^"?\[([A-Z_]+)\]"?$/;

function codeOf(digest: Buffer): string {
  let code = '';
  for (let at = 0; at < LENGTH; at++) code += ALPHABET[digest[at]! & 31];
  return code;
}

/** The round trip of a request, where the project asks for it and something was masked. */
export function roundTripOf(
  deps: { readonly storage: Pick<Storage, 'projects'> },
  { settings, projectId }: Principal,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): RoundTrip | null {
  if (settings.masking !== 'round_trip' || projectId === null) return null;
  return roundTrip(deps.storage, projectId, slots, replacements);
}
