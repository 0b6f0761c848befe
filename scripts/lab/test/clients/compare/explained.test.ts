import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Compared, Difference } from '../../../clients/compare/differences.ts';
import { explanationOf, staleIn } from '../../../clients/compare/explained.ts';

const OVERLOAD = { client: 'Codex', version: '0.171.0', task: 'error: overload', calls: 2 };
const CALLS: Difference = { what: 'calls', detail: '2 calls without it, 4 with it' };
const BODY: Difference = { what: 'body', detail: 'POST /v1/responses: at 7: "a" arrives as "b"' };

test('an explanation is for a client, a task, a way and a kind of difference', () => {
  const compared: Compared = { ...OVERLOAD, differences: { gateway: [CALLS, BODY], device: [CALLS] } };
  assert.match(explanationOf(compared, 'gateway', CALLS) ?? '', /error\.code/);
  assert.equal(explanationOf(compared, 'gateway', BODY), null);
  assert.equal(explanationOf(compared, 'device', CALLS), null);
  assert.equal(explanationOf({ ...compared, task: 'shell' }, 'gateway', CALLS), null);
  assert.equal(explanationOf({ ...compared, client: 'opencode' }, 'gateway', CALLS), null);
});

test('an explanation that explains nothing any more is told, but not of a way that did not run', () => {
  assert.deepEqual(staleIn({ ...OVERLOAD, differences: { gateway: [CALLS] } }), []);
  assert.equal(staleIn({ ...OVERLOAD, differences: { gateway: [BODY] } }).length, 1);
  assert.deepEqual(staleIn({ ...OVERLOAD, differences: { device: [] } }), []);
});
