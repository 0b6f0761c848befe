import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSource } from '../../../scripts/structure/parse-source.ts';

const importsOf = (text: string) =>
  parseSource('a.ts', text).imports.map(({ specifier, isType, names, line }) => ({
    specifier,
    isType,
    names,
    line,
  }));

describe('parseSource', () => {
  it('finds imports of every spelling, and which exist only for types', () => {
    const text = [
      "import type { A } from 'a';",
      "import b, { c as d, type E } from 'b';",
      "import * as f from 'f';",
      "import { type G } from 'g';",
      "import 'h';",
      "export * from 'i';",
      "export { j } from 'j';",
      "export type { K } from 'k';",
      "const l = await import('l');",
      "type M = import('m').M;",
    ].join('\n');
    assert.deepEqual(importsOf(text), [
      { specifier: 'a', isType: true, names: ['A'], line: 1 },
      { specifier: 'b', isType: false, names: ['default', 'c'], line: 2 },
      { specifier: 'f', isType: false, names: ['*'], line: 3 },
      { specifier: 'g', isType: true, names: [], line: 4 },
      { specifier: 'h', isType: false, names: [], line: 5 },
      { specifier: 'i', isType: false, names: ['*'], line: 6 },
      { specifier: 'j', isType: false, names: ['j'], line: 7 },
      { specifier: 'k', isType: true, names: ['K'], line: 8 },
      { specifier: 'l', isType: false, names: ['*'], line: 9 },
      { specifier: 'm', isType: true, names: [], line: 10 },
    ]);
  });

  it('throws with the file name if the text is not TypeScript', () => {
    assert.throws(() => parseSource('odd.ts', 'const = 1'), /odd\.ts cannot be read/);
  });
});
