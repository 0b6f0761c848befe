import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stateViolations as violationsOf } from '../../../scripts/structure/module-state.ts';
import { parseSource } from '../../../scripts/structure/parse-source.ts';

const stateViolations = (file: string, text: string, excused?: Readonly<Record<string, string>>) =>
  violationsOf(file, parseSource(file, text), excused);
const linesOf = (text: string) => stateViolations('shared/a.ts', text).map(({ line }) => line);

const REFUSED = [
  ['a variable that may be assigned again', 'export let last = 0;'],
  ['a map that a function fills', 'const known = new Map(); export function f(a) { known.set(a, 1); }'],
  ['a list that an arrow function fills', 'const known = []; export const f = (a) => known.push(a);'],
  ['a table that a method writes to', 'const table = new Uint8Array(9); class C { m(a) { table[a] = 1; } }'],
  ['a member that a function counts up', 'const seen = { count: 0 }; function f() { seen.count++; }'],
  ['a member that a function takes away', 'const seen = {}; function f(a) { delete seen[a]; }'],
  ['what a function in a function does', 'const kept = new Set(); const f = () => () => kept.clear();'],
] as const;

describe('stateViolations', () => {
  for (const [what, text] of REFUSED) {
    it(`reports ${what}`, () => assert.deepEqual(linesOf(text), [1]));
  }

  it('allows tables filled while the module loads, and local state of functions', () => {
    const text = [
      'const [first] = [1];',
      'const byName = new Map();',
      "for (const name of ['a']) byName.set(name, 1);",
      'export function f() { const own = new Map(); let last = 0; own.set(1, last++); return byName.get(last); }',
      'export const g = (list) => list.push(first);',
      'export const h = (deep) => deep.list.push(1);',
    ].join('\n');
    assert.deepEqual(linesOf(text), []);
  });

  it('allows state in a listed file, and reports an unneeded exception', () => {
    const excused = { 'a.ts': 'one clock for the page' };
    assert.deepEqual(stateViolations('a.ts', 'let nowMs = 0;', excused), []);
    assert.equal(stateViolations('b.ts', 'let nowMs = 0;', excused).length, 1);
    assert.match(stateViolations('a.ts', 'const nowMs = 0;', excused)[0]?.text ?? '', /^has no module state/);
  });

  it('names the variable and its line', () => {
    const [violation] = stateViolations(
      'shared/a.ts',
      'const a = 1;\nconst b = [];\nconst f = () => b.pop();',
    );
    assert.equal(violation?.line, 3);
    assert.match(violation?.text ?? '', /^a function changes b: /);
  });
});
