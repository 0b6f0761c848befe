import { parser } from '@lezer/html';
import type { Steps } from '../../text/index.ts';
import { visitTree } from './parse-tree.ts';
import type { Part } from './unit.ts';

/** Elements that stand inside a sentence. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Returns the contents of elements, comments and attributes of HTML or XML, nested; tags are frames. */
export function* readMarkup(text: string): Steps<Part[]> {
  const parts: Part[] = [];
  yield* visitTree(parser, text, ({ name, from, to, node }) => {
    if (name === 'Comment') parts.push({ start: from + 4, end: Math.max(from + 4, to - 3) });
    else if (name === 'AttributeValue') parts.push({ start: from + 1, end: to - 1 });
    else if (name === 'Element') {
      const open = node.firstChild;
      const close = node.lastChild;
      const tag = open?.getChild('TagName');
      if (open === null || !tag || INLINE.has(text.slice(tag.from, tag.to).toLowerCase())) return;
      parts.push({ start: from, end: to, isFrame: true });
      parts.push({ start: open.to, end: close?.name === 'CloseTag' ? close.from : to });
    }
  });
  return parts;
}
