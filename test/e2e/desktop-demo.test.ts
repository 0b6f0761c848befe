import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { runDesktopDemo } from '../../scripts/demo/desktop.ts';
import { DESKTOP_STEPS, type DesktopStep } from '../../scripts/demo/desktop-steps.ts';
import { isInPart } from '../support/part.ts';
import { runCommand } from '../support/run-command.ts';

const DEMO = path.resolve(import.meta.dirname, '../../scripts/demo.ts');

if (isInPart('desktop demo', 4))
  test('npm run demo -- desktop runs every step as described, and exits with 0', async () => {
    const env = { ...process.env, NO_COLOR: '1' };
    const { code, stdout, stderr } = await runCommand(process.execPath, [DEMO, 'desktop'], { env }).ended;
    assert.equal(code, 0, stdout + stderr);
    for (const { name } of DESKTOP_STEPS) assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'));
    assert.match(stdout, new RegExp(`All ${DESKTOP_STEPS.length} steps as expected`));
    assert.doesNotMatch(stdout, /svc_/, 'no credential is shown');
  });

test('a step that differs is named and counted; an unknown story is rejected', async () => {
  const broken: DesktopStep = { name: 'broken', run: () => Promise.reject(new Error('it was another')) };
  const lines: string[] = [];
  assert.equal(await runDesktopDemo((line) => lines.push(line), [broken]), 1);
  assert.match(lines.join('\n'), /broken +not as expected: it was another/);
  const { code, stderr } = await runCommand(process.execPath, [DEMO, 'fairy-tale']).ended;
  assert.equal(code, 1);
  assert.equal(stderr, 'Unknown story "fairy-tale": use service or desktop.\n');
});
