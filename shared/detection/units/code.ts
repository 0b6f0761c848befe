import type { Parser } from '@lezer/common';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';
import type { Steps } from '../../text/index.ts';
import { visitTree } from './parse-tree.ts';
import type { Part } from './unit.ts';

const COMMENT = /^(?:Line|Block)?Comment$/;
/** The mark that opens a comment. */
const MARK = /^(?:\/\*+|\/{2,}!?|#+!?)[ \t]*/;
const QUOTE = /^[a-zA-Z]{0,2}("""|'''|["'`])/;
const jsx = javascript.configure({ dialect: 'ts' });

/** Returns string literals and comments of Python; comments that follow each other are one. */
export function readPython(text: string): Steps<Part[]> {
  return readCode(python, text);
}

/** Returns string literals and comments of JavaScript and of languages that look like it. */
export function readCurly(text: string): Steps<Part[]> {
  return readCode(jsx, text);
}

function* readCode(parser: Parser, text: string): Steps<Part[]> {
  const spans: Part[] = [];
  let comment: { start: number; end: number; isComment: true } | undefined;
  yield* visitTree(parser, text, ({ name, from, to }) => {
    if (COMMENT.test(name)) {
      if (comment !== undefined && text.slice(comment.end, from).trim() === '') comment.end = to;
      else {
        const [mark = ''] = MARK.exec(text.slice(from, to)) ?? [];
        comment = { start: from + mark.length, end: text.endsWith('*/', to) ? to - 2 : to, isComment: true };
        spans.push(comment);
      }
      return;
    }
    const quote = /String$/.test(name) ? QUOTE.exec(text.slice(from, to)) : null;
    if (quote !== null)
      spans.push({
        start: from + quote[0].length,
        end: Math.max(from + quote[0].length, to - quote[1]!.length),
      });
  });
  return spans;
}
