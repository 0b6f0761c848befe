import { CodedError } from '@csg/shared/contract';
import type { TextSlot } from '@csg/shared/text';

/** Maximum length of one text in code points: about a million tokens. */
export const MAX_TEXT_CHARACTERS = 4_000_000;

/** Rejects a request with a text above the maximum length, before the request is counted. */
export function rejectLongTexts(slots: readonly TextSlot[]): void {
  if (!slots.some(isTooLong)) return;
  throw new CodedError('payload_too_large', {
    message: `A text may have at most ${MAX_TEXT_CHARACTERS.toLocaleString('en-US')} characters.`,
    fields: { max_characters: MAX_TEXT_CHARACTERS },
  });
}

/** Texts whose path begins with `#joined:` are exempt: they are combined from other slots. */
export function isTooLong({ text, path }: TextSlot): boolean {
  if (text.length <= MAX_TEXT_CHARACTERS || path.startsWith('#joined:')) return false;
  // A code point is one or two UTF-16 units.
  return text.length > 2 * MAX_TEXT_CHARACTERS || countCodePoints(text) > MAX_TEXT_CHARACTERS;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    // The second half of a surrogate pair is not a character of its own.
    if (text.codePointAt(at)! > 0xffff) at++;
    count++;
  }
  return count;
}
