import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import {
  HERE,
  releasedRevision,
  revisionOfDayBefore,
  revisionTree,
} from '../../../bench/revisions/revision-tree.ts';

const root = mkdtempSync(path.join(tmpdir(), 'csg-revisions-'));
const cache = path.join(root, 'cache');
const project = path.join(root, 'project');
after(() => rmSync(root, { recursive: true }));

const WHO = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', project, ...args], { encoding: 'utf8' }).trim();

function commit(files: Readonly<Record<string, string>>, date = '2026-01-03T12:00:00Z'): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
  git('add', '-A');
  execFileSync('git', ['-C', project, ...WHO, 'commit', '-q', '-m', 'Change'], {
    env: { ...process.env, GIT_COMMITTER_DATE: date },
  });
  return git('rev-parse', 'HEAD');
}

const packageJson = (version: string, name = 'p'): string =>
  `{\n  "name": "${name}",\n  "version": "${version}"\n}\n`;
const lock = `{"name":"p","lockfileVersion":3,"requires":true,"packages":{"":{"name":"p"}}}\n`;

mkdirSync(project);
git('init', '-q');
const first = commit({ 'package.json': packageJson('0.1.0'), 'package-lock.json': lock, 'a.txt': 'one' });

test('a version without the service is no release; the last that set the version is', () => {
  assert.equal(releasedRevision(project), undefined);
  const released = commit({ 'package.json': packageJson('0.2.0'), 'apps/cloud/src/main.ts': '' });
  commit({ 'a.txt': 'two', 'package.json': packageJson('0.2.0', 'q') });
  assert.equal(releasedRevision(project), released);
});

test('the revision of the day before is the last that is a day older', () => {
  git('checkout', '-q', '--orphan', 'days');
  commit({ 'a.txt': 'old' }, '2026-01-01T10:00:00Z');
  assert.equal(revisionOfDayBefore(project), undefined);
  const before = commit({ 'a.txt': 'before' }, '2026-01-02T11:00:00Z');
  commit({ 'a.txt': 'same day' }, '2026-01-02T13:00:00Z');
  commit({ 'a.txt': 'last' }, '2026-01-03T12:00:00Z');
  assert.equal(revisionOfDayBefore(project), before);
});

test('a revision has its own files, made once; the working tree stays where it is', () => {
  const { folder } = revisionTree(project, cache, first.slice(0, 8));
  assert.equal(folder, path.join(cache, first));
  assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'one');
  writeFileSync(path.join(folder, 'a.txt'), 'kept');
  assert.equal(revisionTree(project, cache, first).folder, folder);
  assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'kept');
  assert.deepEqual(revisionTree(project, cache, HERE), { revision: HERE, folder: project });
});

test('an unknown revision leaves nothing behind', () => {
  const before = readdirSync(cache);
  assert.throws(() => revisionTree(project, cache, 'no-such-revision'), /no-such-revision/);
  assert.deepEqual(readdirSync(cache), before);
});
