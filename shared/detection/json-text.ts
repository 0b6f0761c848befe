import { isJsonInSteps, type Steps } from '../text/index.ts';

/** The beginning of an object, an array or a string. */
const JSON_TEXT = /^\s*[[{"]/;

/** True for one JSON value, or one on each line. */
export function* isJsonText(text: string): Steps<boolean> {
  if (!JSON_TEXT.test(text)) return false;
  if (yield* isJsonInSteps(text)) return true;
  for (let start = 0, end = 0, lines = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    if (++lines % LINES === 0) yield;
    const line = text.slice(start, end);
    if (line.trim() !== '' && !(JSON_TEXT.test(line) && (yield* isJsonInSteps(line)))) return false;
  }
  return true;
}

/** Lines that are read between two pauses. */
const LINES = 64;
