import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyMutant, mutantsOf } from '../../mutation/mutants.ts';

/** The source after each of its mutants. */
const changed = (source: string): string[] =>
  mutantsOf('sample.ts', source).map((mutant) => applyMutant(mutant, source));

test('replaces comparisons, connectives, arithmetic and negations', () => {
  assert.deepEqual(changed('const a = b < c;'), ['const a = b <= c;']);
  assert.deepEqual(changed('const a = b === c && !d;'), [
    'const a = b !== c && !d;',
    'const a = b === c || !d;',
    'const a = b === c && d;',
  ]);
  assert.deepEqual(changed('const a = b + 1;'), ['const a = b - 1;']);
  assert.deepEqual(changed("const a = 'x' + b;"), [], 'texts cannot be subtracted');
});

test('makes conditions constant, and inverts booleans', () => {
  assert.deepEqual(changed('if (a) b = 1;'), ['if (true) b = 1;', 'if (false) b = 1;', 'if (a) ;']);
  assert.deepEqual(changed('const a = b ? 1 : 2;'), ['const a = true ? 1 : 2;', 'const a = false ? 1 : 2;']);
  assert.deepEqual(changed('const a = true;'), ['const a = false;']);
  assert.deepEqual(changed('type A = { readonly b: true };'), [], 'a type is not behavior');
});

test('drops statements and early returns, but no logging', () => {
  assert.deepEqual(changed('await deps.storage.write(a);'), [';']);
  assert.deepEqual(changed("deps.log.error({}, 'x'); log.warn('x'); console.log(1);"), []);
  assert.deepEqual(changed('function f() { if (a) return; }'), [
    'function f() { if (true) return; }',
    'function f() { if (false) return; }',
    'function f() { if (a) ; }',
  ]);
  assert.deepEqual(changed('function f() { return 1; }'), []);
});

test('a mutant names its line, and the rest of the file stays', () => {
  const [mutant] = mutantsOf('a/b.ts', '// first\nconst a = b >= c;\n');
  assert.deepEqual([mutant?.file, mutant?.line, mutant?.what], ['a/b.ts', 2, '>= becomes >']);
});
