import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { findTool, installCommand, SYSTEM_TOOLS } from '../../scripts/system-tools.ts';

test('a tool is found on the path, first folder first, where it may be executed', (t) => {
  const folders = ['empty', 'plain', 'first', 'second'].map((name) =>
    mkdtempSync(path.join(tmpdir(), `csg-tools-${name}-`)),
  );
  t.after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  const [empty = '', plain = '', first = '', second = ''] = folders;
  for (const folder of [plain, first, second]) writeFileSync(path.join(folder, 'redis-server'), '');
  for (const folder of [first, second]) chmodSync(path.join(folder, 'redis-server'), 0o755);
  const searchPath = [empty, plain, first, second].join(path.delimiter);
  assert.equal(findTool('redis', searchPath), path.join(first, 'redis-server'));
  assert.equal(findTool('redis', empty), undefined);
});

test('one command installs what is missing', () => {
  assert.equal(
    installCommand([SYSTEM_TOOLS.postgres, SYSTEM_TOOLS.redis]),
    'apt-get install -y --no-install-recommends postgresql redis-server',
  );
});
