import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatByName } from '../../../../shared/providers/index.ts';

type Call = readonly [name: string, args: unknown];
const partsOf = (...parts: readonly object[]) => ({ candidates: [{ content: { role: 'model', parts } }] });
const piece = (jsonPath: string, value: object, more: object = {}) => ({
  functionCall: { partialArgs: [{ jsonPath, ...value }], willContinue: true, ...more },
});
const opening = { functionCall: { id: 'c', name: 'bash', willContinue: true } };
const end = { functionCall: {} };

/** Read from a stream of one part for each frame, and from the list that the interface sends without `alt=sse`. */
function callsIn(...parts: readonly object[]): Call[] {
  const format = formatByName('gemini-stream');
  const frames = parts.map((part) => partsOf(part));
  const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
  const list = format.readCalls(frames, () => JSON.stringify(frames));
  const streamed = format.readStreamCalls(body);
  const plain = (calls: typeof list): Call[] => calls.map(({ name, arguments: args }) => [name, args]);
  assert.deepEqual(plain(streamed), plain(list));
  assert.ok(list.every(({ others }) => others.length === 0));
  return plain(list);
}

describe('a call whose arguments arrive in pieces', () => {
  test('is read with all of them, as values at their paths', () => {
    assert.deepEqual(
      callsIn(
        opening,
        piece('$.command', { stringValue: 'rm ' }),
        piece('$.command', { stringValue: '-rf /' }),
        piece('$.options.tries[0].n', { numberValue: 2 }),
        piece("$['options']['quiet']", { boolValue: true }),
        piece('$.options.log', { nullValue: 'NULL_VALUE' }),
        piece('$.list[]', {}),
        end,
      ),
      [['bash', { command: 'rm -rf /', options: { tries: [{ n: 2 }], quiet: true, log: null }, list: [] }]],
    );
  });

  test('has no arguments if none arrive, and is not continued after its end', () => {
    const late = piece('$.command', { stringValue: 'late' });
    assert.deepEqual(callsIn(opening, end, late), [['bash', {}]]);
    assert.deepEqual(callsIn(late), []);
  });

  test('is another call than one with arguments of its own', () => {
    const whole = { functionCall: { name: 'note', args: { text: 'a' } } };
    assert.deepEqual(callsIn(opening, whole, piece('$.command', { stringValue: 'ls' })), [
      ['note', { text: 'a' }],
      ['bash', { command: 'ls' }],
    ]);
  });

  test('takes names as they are, and no item far behind the end of a list', () => {
    const [[, args] = []] = callsIn(
      opening,
      piece('$.__proto__.polluted', { stringValue: 'x' }),
      piece('$.list[4294967294]', { stringValue: 'y' }),
      piece('$.list.length', { numberValue: 4294967295 }),
    );
    assert.equal(JSON.stringify(args), '{"__proto__":{"polluted":"x"},"list":{"length":4294967295}}');
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});
