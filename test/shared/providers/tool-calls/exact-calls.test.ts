import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readExactCalls } from '../../../../shared/providers/index.ts';
import { finish } from '../../../../shared/text/index.ts';

function read(input: string) {
  const json = `{"content":[{"type":"tool_use","id":"1","name":"pay","input":${input}}],"usage":{"n":3}}`;
  const [call] = finish(readExactCalls(JSON.parse(json), () => json));
  return call!;
}

describe('calls with numbers that a double cannot represent', () => {
  test('show the digits as written, and are comparable', () => {
    const { arguments: shown, spelling } = read('{"to":12345678901234567890,"sum":[1e999,2.50]}');
    assert.deepEqual(shown, { to: '12345678901234567890', sum: ['1e999', 2.5] });
    assert.equal(spelling, read('{ "sum":[1e999,2.5], "to":12345678901234567890 }').spelling);
    const others = [
      '{"to":12345678901234567891,"sum":[1e999,2.5]}',
      '{"to":"12345678901234567890","sum":[1e999,2.5]}',
    ];
    for (const other of others) assert.notEqual(read(other).spelling, spelling, other);
  });

  test('are the parsed calls if every number is exact, without reading the body again', () => {
    const body = { content: [{ type: 'tool_use', name: 'pay', input: { to: 7 } }] };
    const [call] = finish(readExactCalls(body, () => assert.fail('read again')));
    assert.equal(call?.spelling, '{"to":7}');
  });
});
