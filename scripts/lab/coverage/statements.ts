import { parseSync } from 'oxc-parser';
import { isNode, type Node, walk } from '../../structure/parse-source.ts';

const STATEMENT = /^(?:(?!Block|Empty|Labeled)\w+Statement|VariableDeclaration)$/;
const FUNCTION = /^(?:Arrow)?Function(?:Declaration|Expression)$/;

/**
 * Returns the offset of each statement in a function, and of the value of each arrow function without statements. Code
 * outside of functions runs whenever the file is loaded, which proves nothing.
 */
export function statementsOf(file: string, text: string): number[] {
  const offsets = new Set<number>();
  walk(parseSync(file, text).program as unknown as Node, (node) => {
    const { body } = node;
    if (!FUNCTION.test(node.type) || !isNode(body)) return;
    if (body.type !== 'BlockStatement') offsets.add(body.start);
    walk(body, ({ type, start }) => {
      if (STATEMENT.test(type)) offsets.add(start);
    });
  });
  return [...offsets].sort((a, b) => a - b);
}
