/** Longer than any id that a provider makes. */
const MAX_CHARACTERS = 128;
/** One word of ASCII: no id contains invisible characters or letters of two scripts. */
const IDENTIFIER = /^[\x21-\x7e]+$/;

/** What stands in the place of an identifier in the form of one is read for secrets only; anything else like any other text. */
export function isIdentifier(text: string): boolean {
  return text.length <= MAX_CHARACTERS && IDENTIFIER.test(text);
}
