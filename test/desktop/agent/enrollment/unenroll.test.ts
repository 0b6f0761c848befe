import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { agentCommands } from '../../../support/desktop/agent-process.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a damaged enrollment goes, and a file of the user stays and is named', async () => {
  const agent = agentCommands(tempFolder('unenroll'));
  mkdirSync(agent.stateDir, { recursive: true });
  const notes = path.join(agent.stateDir, 'notes.txt');
  writeFileSync(notes, 'mine');
  writeFileSync(path.join(agent.stateDir, 'enrollment.json'), '{"half');
  const { code, stdout, stderr } = await agent.run('unenroll');
  assert.equal(code, 1, 'something is left');
  assert.ok(stdout.includes(`The files of the agent below ${agent.stateDir} were removed.`), stdout);
  assert.equal(stderr.trim(), `${notes} is not the agent's and was left.`);
  assert.deepEqual(readdirSync(agent.stateDir), ['notes.txt']);
});
