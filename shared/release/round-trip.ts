import { WITHHELD } from '../detection/index.ts';
import type { Replacement, TextSlot } from '../text/index.ts';

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

/** A keyed digest; its key is the project's own, or a device's. */
export type DigestOf = (text: string) => Uint8Array;

/** Crockford's base32. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;

/**
 * Placeholders that are the same for the same value wherever the key of the digest is the same, so that prompt caches stay warm, and
 * no other's. What the developer wrote is masked so, too, and never put back.
 */
export function roundTrip(
  digestOf: DigestOf,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): RoundTrip {
  const values = new Map<string, MaskedValue>();
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

function codeOf(digest: Uint8Array): string {
  let code = '';
  for (let at = 0; at < LENGTH; at++) code += ALPHABET[digest[at]! & 31];
  return code;
}
