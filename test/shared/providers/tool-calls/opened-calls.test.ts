import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OpenedCalls } from '../../../../shared/providers/tool-calls/opened-calls.ts';

type Delta = readonly [index: number | null, id: string | null, name: string | null, text: string];

function joined(...deltas: readonly Delta[]): string[] {
  const opened = new OpenedCalls<string>();
  for (const [index, id, name, text] of deltas) opened.add({ index, id, name, text }, text);
  return opened.calls.map(({ name, fragments }) => `${name} ${fragments.join('')}`);
}

describe('deltas of calls', () => {
  test('belong to the call at their index, and without one to the only call that is not complete', () => {
    assert.deepEqual(
      joined(
        [0, 'a', 'note', '{"n":1}'],
        [1, 'b', 'bash', ''],
        [1, null, null, '{"c'],
        [null, null, null, '":2}'],
      ),
      ['note {"n":1}', 'bash {"c":2}'],
    );
  });

  test('open another call by a name whose arguments begin anew', () => {
    assert.deepEqual(
      joined(
        [0, 'a', 'note', '{"n":1}'],
        [0, 'a', 'note', '{"n":2}'],
        [0, 'b', 'bash', ''],
        [0, 'b', null, '{}'],
      ),
      ['note {"n":1}', 'note {"n":2}', 'bash {}'],
    );
    assert.deepEqual(joined([0, 'a', 'note', ''], [0, 'a', 'note', '{"n":'], [0, 'a', 'note', '1}']), [
      'note {"n":1}',
    ]);
  });

  test('belong to none if several are possible, or if nothing was opened', () => {
    assert.deepEqual(
      joined([0, null, null, '{}'], [0, 'a', 'note', '{'], [1, 'b', 'bash', '{'], [null, null, null, '}']),
      ['note {', 'bash {'],
    );
    assert.deepEqual(joined([0, 'a', 'note', '{'], [1, 'b', 'bash', '{'], [1, 'a', null, '}']), [
      'note {',
      'bash {',
    ]);
  });

  test('end where the JSON ends, not at brackets in its strings', () => {
    assert.deepEqual(joined([0, 'a', 'note', '{"n":"}\\"'], [0, null, null, '}"}'], [0, null, null, 'x']), [
      'note {"n":"}\\"}"}x',
    ]);
  });
});
