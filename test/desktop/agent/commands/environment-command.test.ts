import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { environmentLines } from '../../../../apps/desktop/src/agent/commands/environment-command.ts';

test('lines are quoted for the shell, whatever characters a path contains', () => {
  const value = "/home/o'brien/$(false) & co/root.pem";
  const hints = [{ name: 'NODE_EXTRA_CA_CERTS', value, for: 'Node' }];
  const [line = ''] = environmentLines(hints, 'linux');
  const output = execFileSync('sh', ['-c', `${line}\nprintf %s "$NODE_EXTRA_CA_CERTS"`], {
    encoding: 'utf8',
  });
  assert.equal(output, value);
  assert.deepEqual(environmentLines(hints, 'win32'), [
    "$env:NODE_EXTRA_CA_CERTS = '/home/o''brien/$(false) & co/root.pem'",
  ]);
});
