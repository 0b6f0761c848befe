/** Longer than any id that a vendor makes. */
const MAX_CHARACTERS = 128;
/** One word of ASCII: what nobody sees, and letters of two scripts, are in no id. */
const IDENTIFIER = /^[\x21-\x7e]+$/;

/** What stands in the place of an identifier in the form of one is read for secrets only; anything else like any other text. */
export function isIdentifier(text: string): boolean {
  return text.length <= MAX_CHARACTERS && IDENTIFIER.test(text);
}
