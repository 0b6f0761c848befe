/** The short form of `npm run lab -- desktop-clients`: this Node with the project's own packages, Python, and a raw client. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { missingTool } from '../../../system-tools.ts';
import { tableOf } from '../../clients/checks.ts';
import { checkHeaderCases, checkTool, startProxySetup } from '../../desktop-clients/run-tools.ts';
import { nodeTools, pythonTool } from '../../desktop-clients/tools.ts';

const folder = tempFolder('desktop-clients');
const stage = await startProxySetup(folder);
after(() => stage.close());

const cwd = path.resolve(import.meta.dirname, '../../../..');
const tools = nodeTools({ name: 'Node', file: process.execPath, cwd, ownFetchKnowsProxy: true });

for (const tool of tools) {
  test(`${tool.name}: gets a response, a redaction, and a rejection that it can show`, async () => {
    const results = await checkTool(tool, stage);
    assert.equal(results.length, 5);
    assert.ok(
      results.every(({ isPassed }) => isPassed),
      tableOf(results),
    );
  });
}

test('Python: gets the same', { skip: missingTool(['python']) }, async () => {
  const results = await checkTool(pythonTool(folder), stage);
  assert.ok(
    results.every(({ isPassed }) => isPassed),
    tableOf(results),
  );
});

test('header names arrive in every spelling', async () => {
  const results = await checkHeaderCases(stage);
  assert.equal(results.length, 4);
  assert.ok(
    results.every(({ isPassed }) => isPassed),
    tableOf(results),
  );
});

test('a program without output fails every check', async () => {
  const [tool] = tools;
  const results = await checkTool({ ...tool!, args: ['-e', 'console.log(1)', '--'] }, stage);
  assert.ok(results.every(({ isPassed }) => !isPassed));
});
