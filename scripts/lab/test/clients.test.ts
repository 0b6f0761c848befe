import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf } from '../clients/checks.ts';
import { sdkClients } from '../clients/sdk-clients.ts';
import { runClients } from '../clients.ts';

test('the providers’ own packages pass every check of npm run lab -- clients', async () => {
  const results = await runClients((name) => import(name), [sdkClients]);
  assert.ok(results.length >= 56);
  assert.ok(
    results.every(({ isPassed }) => isPassed),
    tableOf(results),
  );
});

test('the table names the check that failed, and why', () => {
  const table = tableOf([
    { client: 'one', check: 'whole', isPassed: true, detail: '' },
    { client: 'one', check: 'abort', isPassed: false, detail: 'no error' },
  ]);
  assert.equal(table, 'one  1/2\n    abort: no error');
});
