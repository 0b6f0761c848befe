import { parseContainer } from '@csg/shared/text';
import { type FilePiece, unread } from './file-text.ts';

/** Members whose lists of strings are one text: of cells, of outputs, and of outputs by media type. */
const LINES = /^(?:source|input|text|[\w.+-]+\/[\w.+-]+)$/;
const MAX_DEPTH = 50;

/**
 * Reads the texts of a Jupyter notebook that are cut within a line: an application joins the strings of a list. Of whole
 * lines, as notebooks are written, the text of the file itself shows the same.
 */
export function readNotebook(text: string): FilePiece {
  const notebook = parseContainer(text);
  if (notebook === null) return unread('undecodable', 'it is a damaged notebook');
  return { texts: [...joinedIn(notebook, 0)].map((joined) => ({ part: 'text', text: joined })) };
}

function* joinedIn(value: object, depth: number): Generator<string> {
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'object' || member === null || depth > MAX_DEPTH) continue;
    if (LINES.test(name) && isCut(member)) yield member.join('');
    else yield* joinedIn(member as object, depth + 1);
  }
}

const isCut = (list: unknown): list is string[] =>
  Array.isArray(list) &&
  list.every((line) => typeof line === 'string') &&
  list.slice(0, -1).some((line) => !line.endsWith('\n'));
