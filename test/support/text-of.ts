import { codesOf, type Text } from '../../shared/detection/read/codes.ts';

/** A string as the readers of the engine take it. */
export function textOf(string: string): Text {
  return { string, codes: codesOf(string) };
}
