import { parseSync } from 'oxc-parser';
import { isNode, type Node, walk } from '../../structure/parse-source.ts';

const FUNCTION = /^(?:Arrow)?Function(?:Declaration|Expression)$/;

/** Returns a source whose functions call `globalThis.__entered(file, offset)` first; `offset`: where they begin. */
export function instrument(file: string, text: string): string {
  const added: (readonly [at: number, text: string])[] = [];
  walk(parseSync(file, text).program as unknown as Node, ({ type, start, body }) => {
    if (!FUNCTION.test(type) || !isNode(body)) return;
    const call = `globalThis.__entered(${JSON.stringify(file)},${start})`;
    if (body.type === 'BlockStatement') added.push([body.start + 1, `${call};`]);
    else added.push([body.start, `(${call},`], [body.end, ')']);
  });
  // From the end on, so that the other offsets stay true.
  added.sort(([one], [other]) => other - one);
  return added.reduce((whole, [at, more]) => whole.slice(0, at) + more + whole.slice(at), text);
}
