import assert from 'node:assert/strict';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { prepareRows } from '../../../../apps/cloud/src/storage/batch/sqlite-statements.ts';

interface Row {
  readonly id: number;
  readonly name: string | null;
}

function openTable() {
  const db = new SqliteDatabase(':memory:');
  db.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
  const insert = prepareRows(
    db,
    2,
    (values) => `INSERT INTO things (id, name) VALUES ${values} ON CONFLICT (id) DO NOTHING`,
    (row: Row) => [row.id, row.name],
  );
  return { insert, all: () => db.prepare('SELECT id, name FROM things ORDER BY rowid').all() };
}

test('writes any number of rows completely and in order', () => {
  for (const count of [0, 1, 2, 15, 16, 17, 32, 33, 100]) {
    const { insert, all } = openTable();
    const rows = Array.from({ length: count }, (_, id) => ({ id, name: id % 3 === 0 ? null : `n${id}` }));
    assert.equal(insert(rows), count);
    assert.deepEqual(all(), rows);
  }
});

test('does not count rows that exist already', () => {
  const { insert, all } = openTable();
  insert([{ id: 2, name: 'first' }]);
  const rows = [1, 2, 3, 3].map((id) => ({ id, name: 'later' }));
  assert.equal(insert(rows), 2);
  assert.deepEqual(all(), [
    { id: 1, name: 'later' },
    { id: 2, name: 'first' },
    { id: 3, name: 'later' },
  ]);
});
