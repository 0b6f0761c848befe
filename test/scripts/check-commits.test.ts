import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { checkCommits, titleViolations } from '../../scripts/check-commits.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a title of 72 characters passes, a longer one is reported with its commit', () => {
  assert.deepEqual(titleViolations(`abc1234 Add ${'x'.repeat(68)}\n`), []);
  assert.deepEqual(titleViolations(`abc1234 Be short\ndef5678 Add ${'x'.repeat(69)}\n`), [
    'def5678 has a title of 73 characters (maximum: 72): git commit --amend',
  ]);
});

test('a one-word title is reported', () => {
  assert.deepEqual(titleViolations('abc1234 x\n'), [
    'abc1234 has the title "x", which describes no change: git commit --amend',
  ]);
});

test('reads the history of a folder, and accepts a folder without one', () => {
  const folder = tempFolder('commits');
  const check = () => checkCommits(folder, '2001-01-01T00:00:00Z');
  assert.deepEqual(check(), []);
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      env: { ...process.env, GIT_CEILING_DIRECTORIES: folder },
    });
    assert.equal(status, 0, stderr);
  };
  git('init', '-q');
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git(...identity, 'commit', '-q', '--allow-empty', '-m', 'Say it in a few words');
  assert.deepEqual(check(), []);
  git(...identity, 'commit', '-q', '--allow-empty', '-m', 'Say it in many words '.repeat(4));
  assert.match(check().join(), /a title of 83 characters/);
});
