import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConnectionError } from '../../../../apps/cloud/src/storage/engines/reconnecting-pool.ts';

const coded = (code: string) => Object.assign(new Error('failed'), { code });

test('a connection error is an error of the server or the way to it, not one of a statement', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', '08006', '57P01', '57P03', '53300'])
    assert.equal(isConnectionError(coded(code)), true, code);
  for (const message of [
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ])
    assert.equal(isConnectionError(new Error(message)), true, message);
  for (const code of ['23505', '40P01', '57P04', 'x08006', 'ECONNREFUSEDx'])
    assert.equal(isConnectionError(coded(code)), false, code);
  for (const other of [
    new Error('The Connection terminated'),
    'ECONNREFUSED',
    null,
    { code: 'ECONNREFUSED' },
  ])
    assert.equal(isConnectionError(other), false, String(other));
});
