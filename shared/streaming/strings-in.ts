import { createScanner } from 'jsonc-parser';
import { childPointer } from '../providers/index.ts';
import type { Steps } from '../text/index.ts';

/** A string of a JSON source that is no name of a member. */
export interface StringIn {
  readonly value: string;
  readonly offset: number;
  /** Length of its raw form, with quotes. */
  readonly length: number;
  readonly path: string;
}

/** An open array or object. */
interface Open {
  readonly path: string;
  readonly isObject: boolean;
  index: number;
  name: string;
  isNameNext: boolean;
}

/** Tokens between two pauses. */
const TOKENS = 256;

/** Returns the strings of a JSON source, in order. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one line for each kind of token
export function* stringsIn(source: string): Steps<StringIn[]> {
  const scanner = createScanner(source, true);
  const strings: StringIn[] = [];
  const open: Open[] = [];
  const here = (): string => {
    const top = open.at(-1);
    if (top === undefined) return '';
    return top.isObject ? childPointer(top.path, top.name) : `${top.path}/${top.index}`;
  };
  for (let count = 1; ; count++) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= source.length) return strings;
    if (count % TOKENS === 0) yield;
    const sign = source[offset];
    const top = open.at(-1);
    if (sign === '{' || sign === '[')
      open.push({ path: here(), isObject: sign === '{', index: 0, name: '', isNameNext: sign === '{' });
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',' && top?.isObject === true) top.isNameNext = true;
    else if (sign === ',' && top !== undefined) top.index++;
    else if (sign === '"' && top?.isNameNext === true) {
      top.name = scanner.getTokenValue();
      top.isNameNext = false;
    } else if (sign === '"')
      strings.push({
        ...{ value: scanner.getTokenValue(), offset },
        ...{ length: scanner.getTokenLength(), path: here() },
      });
  }
}
