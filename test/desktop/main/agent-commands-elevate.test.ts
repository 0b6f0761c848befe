import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { elevate } from '../../../apps/desktop/src/main/agent-commands.ts';

const COMMAND = { file: "/opt/Kim's App/node", args: ['cli.js', 'a "b" $c \\d'] };
const ENV = { AGENT_STATE_DIR: '/home/kim/my state' };

test('Linux: pkexec receives arguments without a shell', () => {
  assert.deepEqual(elevate(COMMAND, ENV, 'linux'), {
    file: 'pkexec',
    args: ['env', 'AGENT_STATE_DIR=/home/kim/my state', COMMAND.file, ...COMMAND.args],
  });
});

test('macOS: the inner shell reads the same arguments', () => {
  const { file, args } = elevate({ file: '/usr/bin/printf', args: ['%s|', ...COMMAND.args] }, ENV, 'darwin');
  assert.equal(file, 'osascript');
  const script = /^do shell script "(.*)" with administrator privileges$/.exec(args[1] ?? '')?.[1] ?? '';
  assert.doesNotMatch(script.replaceAll(/\\./g, ''), /"/, 'no quote ends the string before its end');
  // An AppleScript string knows these two escapes alone.
  const line = script.replaceAll(/\\(["\\])/g, '$1');
  const { stdout } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
  assert.equal(stdout, 'cli.js|a "b" $c \\d|');
});

test('Windows: quotes in a path do not end a PowerShell string', () => {
  const { file, args } = elevate({ file: "C:\\Kim's\\node.exe", args: ['cli.js', 'ca'] }, ENV, 'win32');
  assert.equal(file, 'powershell.exe');
  assert.match(
    args.at(-1) ?? '',
    /-FilePath 'C:\\Kim''s\\node\.exe' -ArgumentList '"cli\.js"','"ca"' -Verb RunAs/,
  );
});
