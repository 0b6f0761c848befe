/** Longer than any provider's ids. */
const MAX_CHARACTERS = 128;
/** One word of ASCII: no id contains invisible characters or letters of two scripts. */
const IDENTIFIER = /^[\x21-\x7e]+$/;

/** True for the form of an identifier, which is only searched for secrets; other texts in its place are read fully. */
export function isIdentifier(text: string): boolean {
  return text.length <= MAX_CHARACTERS && IDENTIFIER.test(text);
}
