import { CodeBuffer, type Text } from '../../shared/detection/read/codes.ts';

/** A string in the form that the engine's readers take. */
export function textOf(string: string): Text {
  return new CodeBuffer(string.length).write(string);
}

/** The codes of a text, followed by zeros. */
export function codesOf(text: string): Uint16Array {
  return textOf(text).codes;
}
