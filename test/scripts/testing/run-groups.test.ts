import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Group, runGroups } from '../../../scripts/testing/run-groups.ts';

const GROUPS = ['a', 'b', 'c', 'd'].map((name): Group => [name]);

test('groups run in order, as many at a time as there are runners', async () => {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const run = ([name]: Group) => {
    events.push(`${name} starts`);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const all = runGroups(GROUPS, { runners: 2, signal: new AbortController().signal }, run);
  for (const name of ['b', 'a', 'c', 'd']) {
    events.push(`${name} ends`);
    ends.get(name)!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  assert.deepEqual(events, [
    ...['a starts', 'b starts', 'b ends', 'c starts'],
    ...['a ends', 'd starts', 'c ends', 'd ends'],
  ]);
});

test('after the signal, groups that have not started do not run', async () => {
  const stop = new AbortController();
  const started: string[] = [];
  await runGroups(GROUPS, { runners: 1, signal: stop.signal }, async ([name]) => {
    started.push(name);
    if (name === 'b') stop.abort();
  });
  assert.deepEqual(started, ['a', 'b']);
});
