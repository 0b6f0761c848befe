import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A file, or a marked block inside one, that is generated from the code. */
export interface Golden {
  readonly file: string;
  /** Name of the block: the text between `<!-- made: NAME -->` and `<!-- end: NAME -->`. Unset: the whole file. */
  readonly block?: string;
  readonly make: () => string | Promise<string>;
}

export type GoldenState = 'same' | 'differs' | 'missing';

export interface GoldenResult {
  readonly golden: Golden;
  readonly state: GoldenState;
  /** First line that differs, as `expected` and `found`; only if the state is `differs`. */
  readonly difference?: string;
}

/** Compares one golden file with its generated content; writes it first if requested. */
export async function checkGolden(root: string, golden: Golden, write: boolean): Promise<GoldenResult> {
  const file = path.join(root, golden.file);
  const made = withLastNewline(await golden.make());
  const before = readText(file);
  const after = golden.block === undefined ? made : replaceBlock(before, golden.block, made);
  if (after === undefined) return { golden, state: 'missing' };
  if (write && after !== before) writeFileSync(file, after);
  if (write || after === before) return { golden, state: 'same' };
  if (before === undefined) return { golden, state: 'missing' };
  return { golden, state: 'differs', difference: firstDifference(after, before) };
}

/** Returns the text with the block's content replaced; undefined if the file or the block is missing. */
export function replaceBlock(text: string | undefined, block: string, inside: string): string | undefined {
  const start = `<!-- made: ${block} -->`;
  const from = text?.indexOf(start) ?? -1;
  const to = text?.indexOf(`<!-- end: ${block} -->`, from) ?? -1;
  if (text === undefined || from === -1 || to === -1) return undefined;
  return `${text.slice(0, from + start.length)}\n\n${inside}\n${text.slice(to)}`;
}

function firstDifference(expected: string, found: string): string {
  const expectedLines = expected.split('\n');
  const foundLines = found.split('\n');
  const line = expectedLines.findIndex((text, index) => text !== foundLines[index]);
  const at = line === -1 ? expectedLines.length : line;
  return `line ${at + 1}\n  generated:  ${expectedLines[at] ?? '(end)'}\n  file:       ${foundLines[at] ?? '(end)'}`;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function withLastNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
