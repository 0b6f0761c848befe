import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { windowsTask } from '../../../../apps/desktop/src/agent/autostart/windows-task.ts';
import { missingTool } from '../../../../scripts/system-tools.ts';

const READ = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([[node.tag.split('}')[1], node.text.strip()] for node in root.iter() if node.text.strip()]))`;

test('an XML parser reads the task in its declared encoding', { skip: missingTool(['python']) }, () => {
  const command = ['C:\\Program Files\\A & B\\node.exe', 'C:\\agent\\cli.js', 'run'];
  const text = windowsTask({ command, env: {}, user: 'CORP\\alice', enrollmentFile: '' });
  const input = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const { stdout, stderr } = spawnSync('python3', ['-c', READ], { input, encoding: 'utf8' });
  assert.equal(stderr, '');
  const values = new Map(JSON.parse(stdout) as [string, string][]);
  assert.equal(values.get('UserId'), 'CORP\\alice');
  assert.equal(values.get('Command'), 'conhost.exe');
  assert.equal(
    values.get('Arguments'),
    '--headless "C:\\Program Files\\A & B\\node.exe" C:\\agent\\cli.js run',
  );
  assert.equal(values.get('Interval'), 'PT1M');
  assert.equal(values.get('MultipleInstancesPolicy'), 'IgnoreNew');
  assert.equal(values.get('ExecutionTimeLimit'), 'PT0S');
  assert.equal(values.get('RunLevel'), 'LeastPrivilege');
});
