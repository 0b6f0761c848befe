import { parser } from '@lezer/yaml';
import type { Steps } from '../../text/index.ts';
import { visitTree } from './parse-tree.ts';
import type { Part } from './unit.ts';

const VALUE = /^(?:Literal|BlockLiteralContent|Comment)$/;

/** A longer key is the beginning of a sentence with a colon. */
const KEY = /^\S+(?:\s+\S+){0,2}$/;

/** Returns the values and comments of YAML; keys are frames. */
export function* readYaml(text: string): Steps<Part[]> {
  const parts: Part[] = [];
  yield* visitTree(parser, text, ({ name, from, to, node }) => {
    const key = name === 'Pair' ? node.firstChild : null;
    if (key !== null && !KEY.test(text.slice(key.from, key.to))) {
      parts.push({ start: from, end: to });
      return false;
    }
    if (name === 'Key') {
      parts.push({ start: from, end: to, isFrame: true });
      return false;
    }
    if (name === 'QuotedLiteral') parts.push({ start: from + 1, end: to - 1 });
    else if (VALUE.test(name)) parts.push({ start: from, end: to });
    return true;
  });
  return parts;
}
