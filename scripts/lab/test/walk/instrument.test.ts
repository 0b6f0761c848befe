import assert from 'node:assert/strict';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import vm from 'node:vm';
import { instrument } from '../../walk/instrument.ts';

test('every kind of function reports its file and offset first, and still does what it did', () => {
  const source = `
    const twice = (n: number): number => 2 * n;
    const pair = (n: number) => ({ n, add: (m: number) => n + m });
    function all(this: void, n: number) { return [twice(n), pair(n).add(1), new Counter(n).value]; }
    class Base { constructor(readonly n: number) { this.n = n; } }
    class Counter extends Base { get value() { return this.n; } }
    all(3);`.replace('readonly n', 'n');
  const entered: string[] = [];
  const context = {
    __entered: (file: string, offset: number) => entered.push(`${file} ${source.slice(offset, offset + 8)}`),
  };
  const result = vm.runInNewContext(stripTypeScriptTypes(instrument('a.ts', source)), context);
  assert.deepEqual([...result], [6, 4, 3]);
  assert.deepEqual(entered, [
    ...['a.ts function', 'a.ts (n: numb', 'a.ts (n: numb', 'a.ts (m: numb'],
    ...['a.ts (n: numb', 'a.ts () { ret'],
  ]);
});
