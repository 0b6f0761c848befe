import { visit } from 'jsonc-parser';
import { childPointer } from '../providers/index.ts';

/** A string of a JSON source that is no name of a member. */
export interface StringIn {
  readonly value: string;
  readonly offset: number;
  /** Length of its raw form, with quotes. */
  readonly length: number;
  readonly path: string;
}

/** Returns the strings of a JSON source, in order. */
export function stringsIn(source: string): StringIn[] {
  const strings: StringIn[] = [];
  const open: { readonly path: string; index: number; name: string | null }[] = [];
  const here = (): string => {
    const top = open.at(-1);
    if (top === undefined) return '';
    return top.name === null ? `${top.path}/${top.index}` : childPointer(top.path, top.name);
  };
  const enter = (): void => void open.push({ path: here(), index: 0, name: null });
  const leave = (): void => void open.pop();
  visit(source, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty(name) {
      const top = open.at(-1);
      if (top !== undefined) top.name = name;
    },
    onSeparator(character) {
      const top = open.at(-1);
      if (character === ',' && top !== undefined && top.name === null) top.index++;
    },
    onLiteralValue(value, offset, length) {
      if (typeof value === 'string') strings.push({ value, offset, length, path: here() });
    },
  });
  return strings;
}
