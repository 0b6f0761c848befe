import type { Replacement, TextSlot } from '@csg/shared/text';

/** Files that usually contain secrets. Every repetition is bounded, so a search is linear. */
const NAME =
  /(?<![\w.-])(?:\.env(?:\.[\w-]{1,30})?|\.npmrc|\.netrc|\.pgpass|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|[\w-]{1,60}\.(?:pem|p12|pfx|jks|keystore|kdbx))(?![\w-])/gi;
/** Maximum distance: editors and agents write a file's name shortly before its content. */
const REACH = 400;

interface Found {
  readonly slots: readonly TextSlot[];
  readonly findings: readonly { readonly path: string; readonly start: number }[];
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
}

/**
 * Returns the name of the file that a secret was found in, from an upload's name or the text before the secret; null:
 * none is named.
 */
export function secretFileOf({ slots, findings, replacements }: Found): string | null {
  const places = [
    ...[...replacements].map(([index, [first]]) => ({ slot: slots[index], start: first?.start ?? 0 })),
    ...findings.map(({ path, start }) => ({ slot: slots.find((slot) => slot.path === path), start })),
  ];
  for (const { slot, start } of places) {
    if (slot === undefined) continue;
    const name = lastName(slot.path) ?? lastName(slot.text.slice(Math.max(0, start - REACH), start));
    if (name !== null) return name;
  }
  if (places.length > 0) return null;
  // The service does not return the position of a secret in a blocked text: the newest text is the likely one.
  const names = slots.map(({ path }) => (path.startsWith('#field/') ? lastName(path) : null));
  return names.find((name) => name !== null) ?? lastName(slots.at(-1)?.text ?? '');
}

function lastName(text: string): string | null {
  return [...text.matchAll(NAME)].at(-1)?.[0] ?? null;
}
