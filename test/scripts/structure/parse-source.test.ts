import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importedBy, parseSource } from '../../../scripts/structure/parse-source.ts';

const importsOf = (text: string) =>
  parseSource('a.ts', text).imports.map(({ specifier, isType, names, line }) => ({
    specifier,
    isType,
    names,
    line,
  }));
const usesOf = (text: string) => parseSource('a.ts', text).uses.map(({ name }) => name);

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

  it('finds used globals, and no names that only look like them', () => {
    assert.deepEqual(usesOf('f(process.env.X, Date.now(), new Date());').sort(), [
      'Date',
      'Date',
      'Date.now',
      'f',
      'new Date',
      'process',
      'process.env',
      'process.env.X',
    ]);
    assert.deepEqual(usesOf('new Date(0);'), ['Date']);
    assert.deepEqual(
      usesOf('const o = { process: 1, console() {} }; o.process; o.fetch();').filter((n) =>
        /^(process|console|fetch)/.test(n),
      ),
      [],
    );
    assert.deepEqual(
      usesOf('function f(process: P) { return process.env; }').filter((n) => n.startsWith('process')),
      [],
    );
    assert.deepEqual(
      usesOf('const { fetch } = deps; fetch();').filter((n) => n === 'fetch'),
      [],
    );
    assert.deepEqual(
      usesOf('const o = { process };').filter((n) => n === 'process'),
      ['process'],
    );
  });

  it('distinguishes logic from data, and barrels from other files', () => {
    const describeSource = (text: string) => {
      const { exportsFunction, isBarrel, hasDefaultExport } = parseSource('a.ts', text);
      return { exportsFunction, isBarrel, hasDefaultExport };
    };
    const nothing = { exportsFunction: false, isBarrel: false, hasDefaultExport: false };
    assert.deepEqual(describeSource('export const A = [1];'), nothing);
    assert.deepEqual(describeSource('function own() {} export type T = string;'), nothing);
    assert.deepEqual(describeSource('export function f() {}'), { ...nothing, exportsFunction: true });
    assert.deepEqual(describeSource('export const f = () => 1;'), { ...nothing, exportsFunction: true });
    assert.deepEqual(describeSource('export class C { m() {} }'), { ...nothing, exportsFunction: true });
    assert.deepEqual(describeSource('export class E extends Error { constructor() { super(); } }'), nothing);
    assert.deepEqual(describeSource("export * from './b.ts';"), { ...nothing, isBarrel: true });
    assert.deepEqual(describeSource('export default 1;'), { ...nothing, hasDefaultExport: true });
  });

  it('throws with the file name if the text is not TypeScript', () => {
    assert.throws(() => parseSource('odd.ts', 'const = 1'), /odd\.ts cannot be read/);
  });
});

describe('importedBy', () => {
  for (const [text, imported] of [
    [
      "import a, { b } from './a.ts';\nimport type { C } from './c.ts';\nimport './d.ts';",
      './a.ts ./c.ts ./d.ts',
    ],
    [
      "export * from './a.ts';\nexport { b } from './b.ts';\nexport type { C } from './c.ts';",
      './a.ts ./b.ts ./c.ts',
    ],
    ["const a = await import('./a.ts');\nexport type B = import ('./b.ts').B;", './a.ts ./b.ts'],
    ["const text = 'import a from b';\nexport const b = 1;", ''],
  ] as const) {
    it(`${JSON.stringify(text)}: ${imported || 'nothing'}`, () => {
      assert.deepEqual([...new Set(importedBy('a.ts', text))].sort().join(' '), imported);
    });
  }

  it('a file that cannot be read is an error with its name', () => {
    assert.throws(() => importedBy('odd.ts', 'const = 1'), /odd\.ts cannot be read/);
  });
});
