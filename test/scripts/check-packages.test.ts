import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import {
  checkPackages,
  imageProblems,
  type Lock,
  licenseProblems,
  lockProblems,
} from '../../scripts/check-packages.ts';

const INTEGRITY = `sha512-${'A'.repeat(86)}==`;
const lock = (packages: Lock['packages']): Lock => ({ packages });
const NO_NAMES = new Set<string>();

describe('packages and images', () => {
  test('the packages of this project are unchanged and allowed', () => {
    assert.deepEqual(checkPackages(path.resolve(import.meta.dirname, '../..')), []);
  });

  test('reports a package without SHA-512, from another host, or with an undecided install script', () => {
    const violations = lockProblems(
      lock({
        '': {},
        'apps/cloud': { version: '1.0.0' },
        'node_modules/@csg/cloud': { resolved: 'apps/cloud', link: true },
        'node_modules/good': { integrity: INTEGRITY },
        'node_modules/none': {},
        'node_modules/weak': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
        'node_modules/far': { integrity: INTEGRITY, resolved: 'git+ssh://git@example.com/far.git' },
        'node_modules/a/node_modules/runs': { integrity: INTEGRITY, hasInstallScript: true },
        'node_modules/known': { integrity: INTEGRITY, hasInstallScript: true },
      }),
      new Set(['known']),
    );
    assert.deepEqual(
      violations.map((fault) => fault.split(' ')[0]),
      ['node_modules/none', 'node_modules/weak', 'node_modules/far', 'node_modules/a/node_modules/runs'],
    );
    assert.equal(lockProblems(lock({ 'node_modules/good': { integrity: INTEGRITY } }), NO_NAMES).length, 0);
  });

  test('reports a license that is not on the list or missing; one of several suffices; tools do not count', () => {
    const violations = licenseProblems(
      lock({
        'node_modules/a': { license: 'MIT' },
        'node_modules/b': { license: '(GPL-3.0-only OR MIT)' },
        'node_modules/c': { license: '(MIT AND GPL-3.0-only)' },
        'node_modules/d': { license: 'AGPL-3.0-only' },
        'node_modules/e': {},
        'node_modules/f': { license: 'AGPL-3.0-only', dev: true },
        'node_modules/g': { license: 'UNLICENSED' },
        'node_modules/lightningcss-linux-x64-gnu': { license: 'MPL-2.0' },
        'node_modules/x/node_modules/a': { license: 'SSPL-1.0' },
      }),
    );
    assert.deepEqual(
      violations.map((fault) => fault.split(' ')[0]),
      ['c', 'd', 'e', 'g', 'x/node_modules/a'].map((name) => `node_modules/${name}`),
    );
  });

  test('reports an image whose tag can change', () => {
    const text = [
      'FROM node:24.21.0-bookworm-slim AS base',
      'FROM base AS packages',
      'FROM node:24',
      'FROM node',
      `FROM node:24.21.0@sha256:${'a'.repeat(64)}`,
      '    image: postgres:17.6-bookworm',
      '  - image: redis:latest',
      '    image: "nginx:alpine"',
      '    image: registry.example.com/csg:latest',
      '    image: csg',
    ].join('\n');
    assert.deepEqual(
      imageProblems('x', text).map((fault) => fault.split(' ')[1]),
      ['node:24', 'node', 'redis:latest', 'nginx:alpine'],
    );
  });
});
