import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRows } from '../../detector/examples.ts';
import { kindOf, needsPrompt, ORDINARY } from '../../detector/further-rows.ts';

const rows = readRows(ORDINARY) as (ReturnType<typeof readRows>[number] & {
  readonly system?: string;
  readonly order?: string;
  readonly group?: string;
})[];

test('a written text has an author’s label, a kind, and an id of its own', () => {
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  for (const row of rows) assert.ok(kindOf(row) !== null && (row.label === 0 || row.label === 1), row.id);
});

test('a request that is an attack only beside its system prompt has one', () => {
  const beside = rows.filter(needsPrompt);
  assert.ok(beside.length > 500);
  for (const { id, label, system } of beside) assert.ok(label === 1 && system !== undefined, id);
});

test('a planted order stands where its span says', () => {
  const planted = rows.filter(({ span }) => span !== undefined);
  assert.ok(planted.length > 500);
  for (const { id, text, order, span } of planted) assert.equal(text.slice(...span!), order, id);
});
