import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { relabel } from '../../detector/relabelled.ts';

const LIST = readFileSync(new URL('../../detector/relabelled.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [file: string, id: string, reason: string]);
const idOf = (reason: string) => LIST.find((row) => row[2] === reason)!;

test('a role that its maker calls an attack is a harmless text', () => {
  const [file, id] = idOf('role');
  const row = { id, label: 1 as const };
  assert.deepEqual(relabel([row], `/data/${file}`), [{ id, label: 0 }]);
  assert.deepEqual(relabel([row], '/data/other.jsonl'), [row]);
});

test('fragments and refusals are left out, and in data whatever is no attack', () => {
  for (const reason of ['fragment', 'refusal']) {
    const [file, id] = idOf(reason);
    assert.deepEqual(relabel([{ id, label: 1 as const }], file), []);
  }
  const [file, id] = idOf('question');
  assert.deepEqual(relabel([{ id, label: 1 as const, role: 'tool_result' }], file), []);
});

test('each row has a file, an id and a reason, and none comes twice', () => {
  for (const row of LIST) assert.ok(row.length === 3 && row.every((cell) => cell !== ''), row.join());
  assert.equal(new Set(LIST.map(([file, id]) => `${file} ${id}`)).size, LIST.length);
});
