import type { Parser, SyntaxNodeRef } from '@lezer/common';
import type { Steps } from '../../text/index.ts';

/** The parts of a document that are parsed between two pauses. */
const STRIDE = 64;

/** Parses a text in steps and visits its nodes, outer ones first. `visit` returns false to leave out what is inside. */
export function* visitTree(
  parser: Parser,
  text: string,
  visit: (node: SyntaxNodeRef) => unknown,
): Steps<void> {
  const parse = parser.startParse(text);
  let tree = parse.advance();
  for (let step = 1; tree === null; step++) {
    if (step % STRIDE === 0) yield;
    tree = parse.advance();
  }
  tree.iterate({ enter: (node) => visit(node) !== false });
}
