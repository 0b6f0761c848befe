import { codesOf, type Text } from '../../shared/detection/read/codes.ts';

/** A string in the form that the engine's readers take. */
export function textOf(string: string): Text {
  return { string, codes: codesOf(string) };
}
