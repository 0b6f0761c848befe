import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import { type Node, walk } from '../../structure/parse-source.ts';

/** A function without those inside it, or all that is outside of functions. */
export interface SourcePart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Of its text: the same wherever it moves. */
  readonly digest: string;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Returns the parts of a source, outer ones first: the whole file, then its functions. */
export function partsOf(file: string, text: string): SourcePart[] {
  const { program } = parseSync(file, text);
  const ranges = [{ start: 0, end: text.length }];
  walk(program as unknown as Node, (node, parent) => {
    if (!FUNCTIONS.has(node.type)) return;
    // As V8 counts them, a method begins at its name.
    const { start, end } = parent?.['value'] === node ? parent : node;
    ranges.push({ start, end });
  });
  ranges.sort((a, b) => a.start - b.start || b.end - a.end);
  return ranges.map(({ start, end }, index) => {
    let [own, at] = ['', start];
    for (let next = index + 1; next < ranges.length && ranges[next]!.start < end; next++) {
      const inner = ranges[next]!;
      if (inner.start < at) continue;
      own += text.slice(at, inner.start);
      at = inner.end;
    }
    own += text.slice(at, end);
    return { start, end, text: own, digest: createHash('sha256').update(own).digest('hex').slice(0, 12) };
  });
}

/** Returns the narrowest part around an offset. */
export function partAt(parts: readonly SourcePart[], offset: number): SourcePart {
  return parts.findLast(({ start, end }) => start <= offset && offset < end) ?? parts[0]!;
}
