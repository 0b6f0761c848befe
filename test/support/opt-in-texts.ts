import { readFileSync } from 'node:fs';
import { OPT_IN_PII_TYPES } from '../../shared/contract/index.ts';

export interface OptInText {
  readonly type: (typeof OPT_IN_PII_TYPES)[number];
  readonly text: string;
  /** Positions of values of the type; none for a text that only resembles one. */
  readonly values: readonly { readonly start: number; readonly end: number }[];
}

const FILE = new URL('../fixtures/opt-in-types.tsv', import.meta.url);

/**
 * Texts of our own, written from the public documentation of each format before its recognizer. A row is a type and a
 * text; `«` and `»` surround the values, `\n` is the end of a line.
 */
export function optInTexts(): OptInText[] {
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => {
      const [name, marked = ''] = row.split('\t');
      const values: { start: number; end: number }[] = [];
      const pieces = marked.replaceAll('\\n', '\n').split(/[«»]/);
      let text = '';
      for (const [place, piece] of pieces.entries()) {
        if (place % 2 === 1) values.push({ start: text.length, end: text.length + piece.length });
        text += piece;
      }
      return { type: OPT_IN_PII_TYPES.find((type) => type === name)!, text, values };
    });
}
