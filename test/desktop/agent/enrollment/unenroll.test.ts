import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { agentCommands } from '../../../support/desktop/agent-process.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('removes a damaged enrollment, and keeps and names a file of the user', async () => {
  const agent = agentCommands(tempFolder('unenroll'));
  mkdirSync(agent.stateDir, { recursive: true });
  const notes = path.join(agent.stateDir, 'notes.txt');
  writeFileSync(notes, 'mine');
  writeFileSync(path.join(agent.stateDir, 'enrollment.json'), '{"half');
  const { code, stdout, stderr } = await agent.run('unenroll');
  assert.equal(code, 1, 'a file remains');
  assert.ok(stdout.includes(`The files of the agent in ${agent.stateDir} were removed.`), stdout);
  assert.equal(stderr.trim(), `${notes} does not belong to the agent and was kept.`);
  assert.deepEqual(readdirSync(agent.stateDir), ['notes.txt']);
});
