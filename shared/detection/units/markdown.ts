import { GFM, parser } from '@lezer/markdown';
import type { Span, Steps } from '../../text/index.ts';
import { visitTree } from './parse-tree.ts';

const UNIT =
  /^(?:Paragraph|ListItem|Blockquote|TableCell|CodeText|CodeBlock|HTMLBlock|Comment(?:Block)?|(?:ATX|Setext)Heading\d)$/;
const CONTAINER = /^(?:ListItem|Blockquote)$/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const COMMENT = /^<!--\s*/;
const MAX_MARK = 24;
const withTables = parser.configure(GFM);

/** Returns paragraphs, list items, quotes, cells, headings, code and comments of Markdown, nested. */
export function* readMarkdown(text: string): Steps<Span[]> {
  const spans: Span[] = [];
  yield* visitTree(withTables, text, ({ name, from, to, node }) => {
    const isInside = name === 'Paragraph' && CONTAINER.test(node.parent?.name ?? '');
    if (!isInside && UNIT.test(name)) spans.push({ start: from + markOf(name, text, from), end: to });
  });
  return spans;
}

/** Returns the length of the mark that begins a list item or a comment. */
function markOf(name: string, text: string, from: number): number {
  const mark = name === 'ListItem' ? ITEM : name.startsWith('Comment') ? COMMENT : undefined;
  return mark?.exec(text.slice(from, from + MAX_MARK))?.[0].length ?? 0;
}
