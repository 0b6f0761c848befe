import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { NONCE_PLACEHOLDER, readWindowFile } from '../../../apps/desktop/src/main/window-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const outside = tempFolder('window-files');
const dir = path.join(outside, 'window');
mkdirSync(path.join(dir, 'assets'), { recursive: true });
writeFileSync(
  path.join(dir, 'index.html'),
  `<script nonce="${NONCE_PLACEHOLDER}"></script><style nonce="${NONCE_PLACEHOLDER}">`,
);
writeFileSync(path.join(dir, 'assets', 'index-Ab_1.js'), 'let a = "__CSP_NONCE__"');
writeFileSync(path.join(dir, 'secret.json'), '{}');
writeFileSync(path.join(outside, 'other.js'), '');

test('the page has the nonce of its policy, a new one each time', () => {
  const [first, second] = [readWindowFile(dir, '/'), readWindowFile(dir, '/index.html')];
  const nonceOf = (file: typeof first): string =>
    /'nonce-([^']+)'/.exec(file.headers['content-security-policy'] ?? '')?.[1] ?? '';
  assert.equal(String(first.body).split(`nonce="${nonceOf(first)}"`).length, 3);
  assert.notEqual(nonceOf(first), nonceOf(second));
  const policy = first.headers['content-security-policy'] ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'self'; /);
  assert.doesNotMatch(policy, /unsafe|https?:|data:|\*/);
});

test('built files are served unchanged, and no other files', () => {
  const script = readWindowFile(dir, '/assets/index-Ab_1.js');
  assert.equal(String(script.body), 'let a = "__CSP_NONCE__"');
  assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
  for (const name of [
    '/../other.js',
    '/assets/../../other.js',
    '/%2e%2e/other.js',
    '/..\\other.js',
    '//etc/passwd',
    '/secret.json',
    '/assets/',
    '/nothing.js',
    '/.hidden.js',
    '',
  ]) {
    assert.equal(readWindowFile(dir, name).status, 404, name);
  }
});
