import { WITHHELD } from '../detection/index.ts';
import { mapping, type Replacement, type Steps, type TextSlot } from '../text/index.ts';

/** The values masked in one request, to be restored in the response. Never stored. */
export interface RoundTrip {
  /** Replacements with the project's own placeholders, by slot. */
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
  /** By placeholder: the value as written in the request. */
  readonly values: ReadonlyMap<string, MaskedValue>;
}

export interface MaskedValue {
  readonly value: string;
  /** The type, such as `email`. */
  readonly type: string;
}

/** A keyed digest; its key is the project's own, or a device's. */
export type DigestOf = (text: string) => Uint8Array;

/** Crockford's base32. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;

/**
 * Creates placeholders that are equal for equal values as long as the key of the digest is the same, so that prompt
 * caches keep working, and different for any other key. Values in the developer's texts are masked, too, but never
 * restored.
 */
export function* roundTrip(
  digestOf: DigestOf,
  slots: readonly TextSlot[],
  replacements: ReadonlyMap<number, readonly Replacement[]>,
): Steps<RoundTrip> {
  const values = new Map<string, MaskedValue>();
  const codes = new Map<string, string>();
  const changed = new Map<number, readonly Replacement[]>();
  for (const [index, list] of replacements) {
    const slot = slots[index]!;
    changed.set(index, yield* mapping(list, (one) => withPlaceholder(one, slot)));
    yield;
  }
  return { replacements: changed, values };

  function withPlaceholder(replacement: Replacement, { role, text: whole }: TextSlot): Replacement {
    const type = MASK.exec(replacement.text)?.[1];
    if (type === undefined || replacement.text === WITHHELD || type === 'REDACTED') return replacement;
    const value = whole.slice(replacement.start, replacement.end);
    const text = `${type}\n${value}`;
    const code = codes.get(text) ?? codeOf(digestOf(text));
    codes.set(text, code);
    const placeholder = `[${type}_${code}]`;
    if (role !== 'system' && role !== 'tool_definition')
      values.set(placeholder, { value, type: type.toLowerCase() });
    return { ...replacement, text: replacement.text.replace(`[${type}]`, placeholder) };
  }
}

/** The mask of a value; for a bare JSON number it is quoted. */
const MASK = /^"?\[([A-Z_]+)\]"?$/;

function codeOf(digest: Uint8Array): string {
  let code = '';
  for (let at = 0; at < LENGTH; at++) code += ALPHABET[digest[at]! & 31];
  return code;
}
