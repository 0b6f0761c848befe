import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseSeed, seedOfRevision } from '../../../scripts/testing/seed.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('the seed depends on the files of the commit alone, and is fixed without git', () => {
  const root = tempFolder('seed');
  const git = (...args: string[]) => {
    const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    assert.equal(spawnSync('git', [...own, ...args], { cwd: root }).status, 0, args.join(' '));
  };
  assert.equal(seedOfRevision(root, {}), 1);
  git('init', '-q');
  const commit = (content: string, title: string) => {
    writeFileSync(path.join(root, 'a.txt'), content);
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', title);
    return seedOfRevision(root, {});
  };
  const [one, retitled, other] = [commit('1', 'One'), commit('1', 'Two'), commit('2', 'Three')];
  assert.equal(retitled, one);
  assert.notEqual(other, one);
  assert.equal(seedOfRevision(root, { CSG_SEED: '5' }), 5);
});

test('a seed is an integer of 32 bits', () => {
  assert.equal(parseSeed('4294967295'), 2 ** 32 - 1);
  for (const text of ['', '-1', '1.5', '4294967296', 'abc']) assert.throws(() => parseSeed(text), /not "/);
});
