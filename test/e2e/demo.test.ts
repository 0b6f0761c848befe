import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Step } from '../../scripts/demo/step.ts';
import { STEPS } from '../../scripts/demo/steps.ts';
import { runDemo } from '../../scripts/demo.ts';
import { HANG_LIMIT_MS } from '../support/until.ts';

const DEMO = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url));

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly complained: string;
}

function runDemoProcess(env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [DEMO], { env, timeout: HANG_LIMIT_MS }, (error, output, complained) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output, complained });
    });
  });
}

describe('npm run demo', () => {
  it('runs every step as described, exits with 0 and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'csg-demo-test-'));
    try {
      const { code, output, complained } = await runDemoProcess({
        ...process.env,
        TMPDIR: folder,
        NO_COLOR: '1',
      });
      assert.equal(code, 0, output + complained);
      assert.match(complained, /^✓ Starting the gateway {2}\d+ s$/m, 'it says what it waits for');
      for (const { client, request, due } of STEPS) {
        assert.match(output, new RegExp(`^ {2}${client} +${request} +${due} `, 'm'), `${client}, ${request}`);
      }
      assert.match(output, new RegExp(`All ${STEPS.length} steps as expected`));
      assert.doesNotMatch(output, /\x1b/, 'color without a terminal');
      assert.doesNotMatch(output, /svc_live_/, 'the key is not revealed');
      assert.deepEqual(await readdir(folder), []);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('reports each step that differs, continues with the next, and counts them', async () => {
    const allowed = STEPS[0]!;
    const wrongDecision: Step = { ...allowed, request: 'must be blocked', due: 'block' };
    const broken: Step = {
      ...allowed,
      request: 'broken',
      run: () => Promise.reject(new Error('the answer was another')),
    };
    const lines: string[] = [];
    assert.equal(await runDemo((line) => lines.push(line), [wrongDecision, broken, allowed]), 2);
    const output = lines.join('\n');
    assert.match(output, /not as expected: openai, must be blocked: decision: expected "block", got "allow"/);
    assert.match(output, /not as expected: openai, broken: the answer was another/);
    assert.match(output, /openai +chat +allow/);
    assert.match(output, /2 of 3 steps not as expected/);
  });
});
